// Part of `npm run lint`: a folder holds at most a dozen source files, so that a newcomer can look through it. Tests do not count.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from '../install.mjs'

const most = 12
const reasons = {
  'database/entities': 'one file for each table, and nothing else',
}

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }) // prettier-ignore
const counts = new Map()
for (const file of tracked.split('\n')) {
  if (!/\.(?:ts|tsx|mjs|cjs|sol)$/.test(file) || /\.test\.tsx?$|\.d\.ts$/.test(file)) continue
  counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
}
for (const [folder, count] of counts) {
  if (count <= most || folder in reasons) continue
  console.error(
    `${folder} has ${count} source files: put some into a folder of their own, or say in dev/lint/countFiles.mjs why not`,
  )
  process.exitCode = 1
}
for (const folder of Object.keys(reasons)) {
  if ((counts.get(folder) ?? 0) > most) continue
  console.error(`${folder} has no more than ${most} source files: its reason is not needed any more`)
  process.exitCode = 1
}
