import type { Buildah } from './Buildah.js'

/** What an image says about its program. */
export interface ImageConfig {
  User?: string
  Env?: string[]
  Cmd?: string[] | null
  Entrypoint?: string[] | null
  WorkingDir?: string
  Healthcheck?: { Test: string[] }
}

export async function readImage(buildah: Buildah, image: string): Promise<ImageConfig> {
  const inspected = await buildah.run('inspect', '--type', 'image', image)
  return (JSON.parse(inspected) as { Docker: { config: ImageConfig } }).Docker.config
}

/** Copies an image's files to a folder and returns it, with a way to remove it. */
export async function openImage(buildah: Buildah, image: string) {
  const container = await buildah.run('from', '--pull-never', image)
  return { rootfs: await buildah.run('mount', container), remove: () => buildah.run('rm', container) }
}
