/** `--quick`: an eighth of the repetitions, to see that a benchmark works. Its figures mean nothing. */
export const isQuick = process.argv.includes('--quick')

let part = isQuick ? 1 / 8 : 1

/** Takes this share of every count from now on, because the machine is too slow for all of it. */
export function countOnly(share: number): void {
  part = Math.min(share, isQuick ? 1 / 8 : 1)
}

/** The count, or the share of it that there is time for, at least two. Call it when measuring starts. */
export const counted = (count: number): number => Math.max(2, Math.ceil(count * part))
