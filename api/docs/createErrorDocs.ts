import { errorCatalogue, type ErrorCode } from '@perigee/core'
import { errorMeanings } from './errorMeanings.js'

/** The text of `docs/errors.md`. */
export function createErrorDocs(): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[]
  const described = codes.filter((code) => errorMeanings[code])
  const verdicts = codes.filter((code) => !errorMeanings[code])
  const retry = (code: ErrorCode) => (errorCatalogue[code].retryable ? 'yes' : 'no')
  return `# Error codes

Made by \`npm run docs\` from the catalogue in \`core/errors\`; a test fails when it is out of date. Every error of the API is
\`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "urn:perigee:problem:digest_mismatch",
  "title": "Unprocessable Entity",
  "status": 422,
  "detail": "digest is not keccak256 of the transaction in txMetadata",
  "code": "digest_mismatch",
  "requestId": "Kr0bJX2mQ4yq9aSd",
  "facts": { "expected": "0x…" }
}
\`\`\`

Branch on \`code\`: codes are never renamed. \`detail\` is for people and may change. \`facts\`, when present, holds public values.
A sign-in that fails returns to the app with \`?sign_in_error=<code>\` instead.

| Code | Status | Retry helps | What it means |
| --- | --- | --- | --- |
${described.map((code) => `| \`${code}\` | ${errorCatalogue[code].status} | ${retry(code)} | ${errorMeanings[code]} |`).join('\n')}

## Verdicts

Codes of the verifiers: what exactly is wrong with a quote, a report, its collateral or a receipt. The verifier CLI prints
them, and \`detail\` says what was compared. From the API they mean that evidence did not hold and nothing was released.

| Code | Status | Retry helps |
| --- | --- | --- |
${verdicts.map((code) => `| \`${code}\` | ${errorCatalogue[code].status} | ${retry(code)} |`).join('\n')}
`
}
