/** The five calls of the device protocol. They send any text as the JWS. */
import {
  answeredSchema,
  challengeListSchema,
  enrolledSchema,
  nothingSchema,
  type Challenge,
} from '../contract.ts';
import { exchange } from '../http.ts';

export const devicePaths = {
  enrolments: '/omi/device/enrolments',
  challenges: '/omi/device/challenges',
  response: (challengeId: string) => `/omi/device/challenges/${encodeURIComponent(challengeId)}/response`,
  pushToken: '/omi/device/push-token',
  device: '/omi/device',
};

const joseBody = (body: string, contentType = 'application/jose') => {
  return { headers: { 'content-type': contentType }, body };
};

const joseHeader = (jws: string) => ({ headers: { authorization: `OMI-Device ${jws}` } });

export async function postEnrolment(api: string, jws: string, contentType?: string) {
  const url = `${api}${devicePaths.enrolments}`;
  return await exchange({ method: 'POST', url, ...joseBody(jws, contentType) }, enrolledSchema);
}

export async function getChallenges(api: string, jws: string) {
  const url = `${api}${devicePaths.challenges}`;
  return await exchange({ method: 'GET', url, ...joseHeader(jws) }, challengeListSchema);
}

export async function postAnswer(
  api: string,
  challengeId: Challenge['challengeId'],
  jws: string,
  contentType?: string,
) {
  const url = `${api}${devicePaths.response(challengeId)}`;
  return await exchange({ method: 'POST', url, ...joseBody(jws, contentType) }, answeredSchema);
}

export async function putPushToken(api: string, jws: string, contentType?: string) {
  const url = `${api}${devicePaths.pushToken}`;
  return await exchange({ method: 'PUT', url, ...joseBody(jws, contentType) }, nothingSchema);
}

export async function deleteDevice(api: string, jws: string) {
  const url = `${api}${devicePaths.device}`;
  return await exchange({ method: 'DELETE', url, ...joseHeader(jws) }, nothingSchema);
}
