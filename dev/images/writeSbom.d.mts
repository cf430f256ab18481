export function writeSbom(options: { root: string; name: string; packages: string[]; file: string }): Promise<void>
