/** `--quick`: an eighth of every count, to see that a benchmark works. Its figures mean nothing. */
export const isQuick = process.argv.includes('--quick')

let part = isQuick ? 1 / 8 : 1

/** From now on this part of every count, because the machine is too slow for all of it in the time that there is. */
export function countOnly(share: number): void {
  part = Math.min(share, isQuick ? 1 / 8 : 1)
}

/** So many, or the part of them that there is time for; a few in any case. Asked when the measuring begins. */
export const counted = (count: number): number => Math.max(2, Math.ceil(count * part))
