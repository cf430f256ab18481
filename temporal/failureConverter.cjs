/* eslint-disable @typescript-eslint/no-require-imports */
// CommonJS because Temporal loads it by path, with require(), in the client, in the worker and inside the workflow bundle.
// Messages and stack traces of failures are encoded as payloads, so that the codec encrypts them too.
const { DefaultFailureConverter } = require('@temporalio/common')

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true })
