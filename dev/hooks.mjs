// `npm install` runs this to enable the commit hook, and the hook runs it to format and lint the staged files.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

if (process.argv[2] === 'pre-commit') process.exit(isStagedInOrder() ? 0 : 1)
// In a git checkout only, and unless the person has chosen a folder of hooks. It never fails an install.
const isCheckout = existsSync(`${root}.git`) && !process.env.CI
if (isCheckout && git('config', '--get', 'core.hooksPath').status !== 0) git('config', 'core.hooksPath', '.githooks')

/** Formats the staged files and lints them. A file with unstaged changes too is checked, but not reformatted. */
function isStagedInOrder() {
  const list = (...args) =>
    git('diff', '--name-only', '-z', '--diff-filter=ACMR', ...args)
      .stdout.split('\0')
      .filter(Boolean)
  const staged = list('--cached')
  const halfStaged = new Set(list())
  const whole = staged.filter((file) => !halfStaged.has(file))
  const partial = staged.filter((file) => halfStaged.has(file))
  const prettier = (flag, files) =>
    files.length === 0 || tool('prettier/bin/prettier.cjs', flag, '--ignore-unknown', '--log-level=warn', ...files)
  if (!prettier('--write', whole) || !prettier('--check', partial)) return false
  if (whole.length > 0) git('add', '--', ...whole)
  const sources = staged.filter((file) => /\.(?:tsx?|m?js)$/.test(file))
  return sources.length === 0 || tool('eslint/bin/eslint.js', '--no-warn-ignored', ...sources)
}

function tool(script, ...args) {
  const command = [`${root}node_modules/${script}`, ...args]
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status === 0
}
