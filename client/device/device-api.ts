/** The calls of the device protocol. They send any text as the JWS. */
import { devicePaths } from '#device';
import {
  answeredSchema,
  challengeListSchema,
  enrolledSchema,
  previewSchema,
  nothingSchema,
  type Challenge,
} from '../contract.ts';
import { exchange } from '../http.ts';

const joseBody = (body: string, contentType = 'application/jose') => {
  return { headers: { 'content-type': contentType }, body };
};

const joseHeader = (jws: string) => ({ headers: { authorization: `OMI-Device ${jws}` } });

export async function postEnrolment(baseUrl: string, jws: string, contentType?: string) {
  const url = `${baseUrl}${devicePaths.enrolments}`;
  return await exchange({ method: 'POST', url, ...joseBody(jws, contentType) }, enrolledSchema);
}

/** @param json any body */
export async function postPreview(baseUrl: string, json: unknown, contentType = 'application/json') {
  const url = `${baseUrl}${devicePaths.preview}`;
  const headers = { 'content-type': contentType };
  return await exchange({ method: 'POST', url, headers, body: JSON.stringify(json) }, previewSchema);
}

export async function getChallenges(baseUrl: string, jws: string) {
  const url = `${baseUrl}${devicePaths.challenges}`;
  return await exchange({ method: 'GET', url, ...joseHeader(jws) }, challengeListSchema);
}

export async function postAnswer(
  baseUrl: string,
  challengeId: Challenge['challengeId'],
  jws: string,
  contentType?: string,
) {
  const url = `${baseUrl}${devicePaths.response(challengeId)}`;
  return await exchange({ method: 'POST', url, ...joseBody(jws, contentType) }, answeredSchema);
}

export async function putPushToken(baseUrl: string, jws: string, contentType?: string) {
  const url = `${baseUrl}${devicePaths.pushToken}`;
  return await exchange({ method: 'PUT', url, ...joseBody(jws, contentType) }, nothingSchema);
}

export async function putName(baseUrl: string, jws: string, contentType?: string) {
  const url = `${baseUrl}${devicePaths.name}`;
  return await exchange({ method: 'PUT', url, ...joseBody(jws, contentType) }, nothingSchema);
}

export async function deleteDevice(baseUrl: string, jws: string) {
  const url = `${baseUrl}${devicePaths.device}`;
  return await exchange({ method: 'DELETE', url, ...joseHeader(jws) }, nothingSchema);
}
