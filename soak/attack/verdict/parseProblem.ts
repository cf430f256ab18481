/** The code of a refusal and the share it names; empty for an answer that is none. */
export function parseProblem(status: number, text: string): { code: string; share: string | null } {
  if (status < 400) return { code: '', share: null }
  try {
    const { code, facts } = JSON.parse(text) as { code?: string; facts?: { share?: string } }
    return { code: code ?? '', share: facts?.share ?? null }
  } catch {
    return { code: 'not a problem', share: null }
  }
}
