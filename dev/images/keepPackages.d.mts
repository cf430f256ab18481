export function keepPackages(options: {
  root: string
  images: {
    /** Relative to `root`. */
    entries: string[]
    out: string
  }[]
}): Promise<{ packages: string[]; bytes: number }[]>

export function findPackages(options: { root: string; entries: string[] }): Promise<string[]>
