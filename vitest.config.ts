import { defineConfig } from 'vitest/config'

const ignored = ['**/node_modules/**', '**/dist/**', '.perigee/**']

// Two kinds of test. `unit` needs nothing but Node. `system` (*.system.test.ts) runs on real components, started once
// by the global set-up. Temporal's native module and worker threads do not mix, hence forks.
export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...ignored, '**/*.system.test.{ts,tsx}'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['**/*.system.test.{ts,tsx}'],
          exclude: ignored,
          globalSetup: ['tests/harness/globalSetup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
