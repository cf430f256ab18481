// npx tsx bench/capacity/main.ts: prints the tables of docs/capacity.md after a change of bench/capacity/costs.ts.
import { capacityTables } from './tables.js'

const { needs, limits } = capacityTables()
console.log(`${needs}\n\n${limits}`)
