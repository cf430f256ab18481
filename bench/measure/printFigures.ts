import { missesGoal, type Figure } from './Figure.js'

/** A table for people. Goals are compared with the exact figures, not the rounded ones. */
export function printFigures(figures: readonly Figure[]): void {
  console.table(figures.map(columns))
}

function columns(row: Figure): object {
  const goals = [
    row.atMost !== undefined && `<= ${row.atMost}${row.times === undefined ? '' : ' x'}`,
    row.atLeast !== undefined && `>= ${row.atLeast}${row.times === undefined ? '' : ' x'}`,
    row.valueAtMost !== undefined && `<= ${row.valueAtMost} ${row.unit}`,
  ].filter(Boolean)
  return {
    subject: row.name,
    value: row.value === null ? '' : `${short(row.value)} ${row.unit}`,
    rounds: row.rounds > 1 ? row.spread.map(short).join(' – ') : '',
    ratio: row.times === undefined ? '' : `${short(row.times)} x ${row.comparedWith}`,
    'ratio by round': row.timesSpread && row.rounds > 1 ? row.timesSpread.map(short).join(' – ') : '',
    goal: goals.length === 0 ? '' : `${goals.join(' ')}: ${missesGoal(row) ? 'MISSED' : 'met'}`,
    note: row.note ?? '',
  }
}

function short(value: number): number {
  return Math.round(value * 1000) / 1000
}
