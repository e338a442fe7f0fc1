"""Asks a user by OpenID Connect (CIBA), with Authlib: `python3 approve.py u-1734 'Pay 16.00 € to Café Zoë?'`"""

import os
import sys
import time

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from omi import verify_id_token

CIBA = "urn:openid:params:grant-type:ciba"

base_url, client_id = os.environ["OMI_BASE_URL"], os.environ["OMI_CLIENT_ID"]
user_id, message = sys.argv[1:]
issuer = requests.get(f"{base_url}/.well-known/openid-configuration", timeout=10).json()
client = OAuth2Session(client_id, os.environ["OMI_CLIENT_SECRET"], token_endpoint_auth_method="client_secret_basic")

form = {"scope": "openid", "login_hint": user_id, "binding_message": message}
credentials = client.client_auth("client_secret_basic")
asked = client.post(issuer["backchannel_authentication_endpoint"], data=form, auth=credentials, withhold_token=True)
request = asked.json()
if not asked.ok:
    sys.exit(f"not asked: {request['error']}")

interval = request.get("interval", 5)
tokens = None
while tokens is None:
    time.sleep(interval)
    try:
        tokens = client.fetch_token(issuer["token_endpoint"], grant_type=CIBA, auth_req_id=request["auth_req_id"])
    except OAuthError as error:
        if error.error == "slow_down":
            interval += 5
        elif error.error != "authorization_pending":
            sys.exit(f"not approved: {error.error}")

keys = requests.get(f"{base_url}/.well-known/omi-keys", timeout=10).json()
asked_for = {"client_id": client_id, "auth_req_id": request["auth_req_id"], "message": message}
claims = verify_id_token(tokens["id_token"], keys=keys, base_url=base_url, **asked_for)
print(f"{claims['sub']} approved at {claims['auth_time']}")
