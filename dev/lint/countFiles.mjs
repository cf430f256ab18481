// Part of `npm run lint`: a folder holds at most a dozen source files, so that a newcomer can look through it (tests do not count),
// and more than one file, or it would be no folder.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from '../install.mjs'

const most = 12
const reasons = {
  'database/entities': 'one file for each table, and nothing else',
}

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }) // prettier-ignore
const files = tracked.split('\n')
const counts = new Map()
for (const file of files) {
  const folder = dirname(file)
  const isAlone = folder !== '.' && !files.some((other) => other !== file && other.startsWith(`${folder}/`))
  if (isAlone && /\.(?:ts|tsx|mjs|sol)$/.test(file) && !file.startsWith('examples/next/app/')) {
    console.error(`${folder} has one file: put it into the folder above`) // Next.js names its routes by folders
    process.exitCode = 1
  }
  if (!/\.(?:ts|tsx|mjs|cjs|sol)$/.test(file) || /\.test\.tsx?$|\.d\.ts$/.test(file)) continue
  counts.set(folder, (counts.get(folder) ?? 0) + 1)
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
