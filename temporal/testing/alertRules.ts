import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

export const rulesFile = fileURLToPath(new URL('../alerts/perigee.rules.yml', import.meta.url))

const schema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})

/** The alert rules, parsed strictly. */
export function readAlertRules() {
  return schema.parse(parse(readFileSync(rulesFile, 'utf8'))).groups.flatMap(({ rules }) => rules)
}

/** Every metric that an expression names, with the labels it selects or groups by, and each value it selects as `label="value"`. */
export function metricsIn(expr: string): { metric: string; labels: string[]; values: string[] }[] {
  const groupedBy = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => (list ?? '').split(','))
  return [...expr.matchAll(/\b((?:perigee|temporal|rate_limited|sign_requests)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', selectors = '']) => {
      const selected = [...selectors.matchAll(/(\w+)\s*=~?"([^"]*)"/g)]
      const labels = [...groupedBy, ...selected.map(([, name = '']) => name)]
        .map((label) => label.trim())
        .filter((label) => label !== 'instance') // added by Prometheus
      const values = selected.flatMap(([, name = '', value = '']) => value.split('|').map((one) => `${name}="${one}"`))
      return { metric, labels: [...new Set(labels)], values }
    },
  )
}
