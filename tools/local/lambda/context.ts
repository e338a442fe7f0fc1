import type { Context } from 'aws-lambda';
import type { Request } from './messages.ts';

/** The handler's second argument, from the variables that Lambda sets (`runtime-environment.ts`). */
export function contextOf({ requestId, deadline }: Request, environment: NodeJS.ProcessEnv): LambdaContext {
  const functionName = environment['AWS_LAMBDA_FUNCTION_NAME'] ?? '';
  return {
    functionName,
    functionVersion: environment['AWS_LAMBDA_FUNCTION_VERSION'] ?? '$LATEST',
    invokedFunctionArn: environment['OMI_LOCAL_FUNCTION_ARN'] ?? functionName,
    memoryLimitInMB: environment['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'] ?? '',
    awsRequestId: requestId,
    logGroupName: environment['AWS_LAMBDA_LOG_GROUP_NAME'] ?? '',
    logStreamName: environment['AWS_LAMBDA_LOG_STREAM_NAME'] ?? '',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

/** Without the callbacks that the runtime of Node.js 24 no longer has. */
export type LambdaContext = Omit<Context, 'done' | 'fail' | 'succeed'>;
