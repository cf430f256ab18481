import { builtinModules } from 'node:module'
import tseslint from 'typescript-eslint'

// Who may import whom. A folder that is not listed under a name may not be imported there; `types` may be imported as types only.
const importTable = {
  core: { may: [] },
  enclave: { may: ['core'] },
  database: { may: ['core'] },
  clients: { may: ['core', 'database', 'contracts'] },
  activities: { may: ['core', 'database', 'clients'] },
  workflows: { may: ['core'], types: ['activities'] },
  temporal: { may: ['core'] },
  workers: { may: ['core', 'database', 'clients', 'activities', 'workflows', 'temporal'] },
  api: { may: ['core', 'database', 'clients', 'temporal'] },
  ops: { may: ['core', 'database', 'clients', 'activities', 'temporal'] },
  sdk: { may: [], types: ['core'] },
  contracts: { may: [] },
  verifier: { may: ['core'] },
  web: { may: ['sdk', 'core'] },
  examples: { may: ['sdk'] },
  deploy: { may: [] },
}
// What is not shipped: each may import everything above and those before it.
const shipped = Object.keys(importTable)
const tools = ['dev', 'tests', 'soak', 'bench', 'rehearsals']
tools.forEach((tool, index) => (importTable[tool] = { may: [...shipped, ...tools.slice(0, index)] }))
const folders = Object.keys(importTable)

const nodeModules = `^(?:node:|(?:${builtinModules.filter((name) => !name.startsWith('_')).join('|')})(?:/|$))`

const noClock = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: 'core has no clock: time is an argument.', // in workflows Temporal replaces it
}
/** Workflow threads evaluate these once for all workflows (temporal/bundle/workflowBundle.ts). */
const noSharedState = [
  ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind!="const"]',
  ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > :matches(NewExpression, ArrayExpression)',
].map((selector) => ({ selector, message: 'All workflows of a thread share this: state belongs into the function.' }))
const otherSyntax = { core: [noClock], workflows: noSharedState }

const sources = '*.{ts,tsx,js,mjs,cjs}'

/** The same patterns for `import()`, which the rule on imports does not see. `require` is refused everywhere. */
function laterImports(patterns) {
  return patterns.map(({ regex, message }) => ({
    selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\x2f')}/]`,
    message,
  }))
}

/** `ups`: how often `../` leads out of the folder; in `clients/chain`, `../enclave` is clients/enclave, not the program. */
function importRule(
  folder,
  { may, types = [] },
  { files = [`${folder}/**/${sources}`], ups = '+', syntax = otherSyntax[folder] ?? [] } = {},
) {
  const patterns = folders
    .filter((other) => other !== folder && !may.includes(other))
    .map((other) => ({
      regex: `^(?:(?:\\.\\./)${ups}${other}(?:/|$)|@perigee/${other}(?:/|$))`,
      allowTypeImports: types.includes(other),
      message: `${folder} may not import ${other}${types.includes(other) ? ' except as types' : ''} (docs/architecture.md, "Folders").`,
    }))
  if (folder === 'core' || folder === 'workflows') {
    patterns.push({ regex: nodeModules, message: `${folder} runs where Node does not: no imports of Node's modules.` })
  }
  if (folder === 'enclave') {
    patterns.push({
      regex: '^(?:@noble/curves/(?:secp256k1|abstract)|@noble/secp256k1|viem/accounts)',
      message:
        'Private keys are handled by libsecp256k1 alone (enclave/keys/secp256k1.ts): BigInt takes time that depends on them.',
    })
  }
  return {
    files,
    // Tests of what stands below `tests` use its harness and rigs.
    ignores: folder === 'dev' || shipped.includes(folder) ? ['**/*.test.{ts,tsx}', '**/testing/**'] : [],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
      'no-restricted-syntax': ['error', ...laterImports(patterns), ...syntax],
    },
  }
}

/** What tests of `core` and `enclave` share needs nothing of the local stack, which stands above both. */
const testingRule = {
  files: ['{core,enclave}/**/testing/**/*.ts'],
  ignores: ['**/*.test.ts'],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: [{ regex: '^(?:\\.\\./)+dev(?:/|$)', message: 'dev stands above core and enclave.' }] },
    ],
  },
}

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      '**/.next/**',
      '**/next-env.d.ts',
      '.perigee/**',
      'contracts/out/**',
      'contracts/cache/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error', // a lost promise is a lost step
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'max-lines': ['error', { max: 250 }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['core/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'Buffer', 'fetch', 'setTimeout', 'setInterval', 'performance'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'core has no clock: time is an argument.' },
        { object: 'Math', property: 'random', message: 'core has no randomness.' },
      ],
    },
  },
  ...Object.entries(importTable).map(([folder, rule]) => importRule(folder, rule)),
  importRule('clients', importTable.clients, { files: [`clients/*/**/${sources}`], ups: '{2,}' }),
  importRule('core', importTable.core, {
    files: ['core/workflow/**/*.ts', 'core/proof/**/*.ts'],
    syntax: [noClock, ...noSharedState],
  }),
  testingRule,
)
