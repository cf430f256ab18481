/* eslint-disable @typescript-eslint/no-require-imports */
// CommonJS because Temporal loads it by path, with require(), in the client, in the worker and inside the workflow bundle.
// Messages and stack traces of failures are encoded as payloads, so that the codec encrypts them too.
const { DefaultFailureConverter } = require('@temporalio/common')

const plain = new DefaultFailureConverter()

class FailureConverter extends DefaultFailureConverter {
  /** Someone whose input was refused because it is not encrypted cannot read an encrypted answer either. */
  errorToFailure(error, ...rest) {
    return error?.type === 'payload_refused'
      ? plain.errorToFailure(error, ...rest)
      : super.errorToFailure(error, ...rest)
  }
}

exports.failureConverter = new FailureConverter({ encodeCommonAttributes: true })
