import { execFile } from 'node:child_process'
import { buildProgram } from '../../dev/stack/programs/buildProgram.js'

/** `npm run ops -- …` in a process of its own. */
export async function runOps(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  const program = await buildProgram(new URL('../../ops/main.ts', import.meta.url))
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 3) : 0, output: `${stdout}${stderr}`.trim() })
    })
  })
}
