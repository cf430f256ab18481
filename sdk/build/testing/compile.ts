import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
const options = '--noEmit --strict --target es2022 --module nodenext --jsx react-jsx --types node'

/** What the compiler says about these files of an application, one line for each mistake. */
export async function compile(app: string, files: string[], skipLibCheck: boolean): Promise<string[]> {
  const args = [tsc, ...options.split(' '), '--skipLibCheck', String(skipLibCheck), ...files]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: app }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout.split('\n').filter((line) => /^\S/.test(line)) // the rest explains the line above
}
