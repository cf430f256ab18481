/** `--quick`: an eighth of every count, to see that a benchmark works. Its figures mean nothing. */
export const isQuick = process.argv.includes('--quick')

export const counted = (count: number): number => (isQuick ? Math.max(2, Math.ceil(count / 8)) : count)
