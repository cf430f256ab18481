/** Codes of the verifiers in core: what was wrong with a quote, a report, its collateral or a receipt. */
export const attestationCodes = {
  parse_failed: { status: 502, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>
