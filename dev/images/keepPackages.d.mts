export function keepPackages(options: {
  root: string
  /** Relative to `root`. */
  entries: string[]
  out: string
}): Promise<{ packages: string[]; bytes: number }>
