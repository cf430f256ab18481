// `npm run images`: builds every image without a container engine, checks what is inside, and makes one proof with them.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { repositoryRoot } from '../stack/components/program.js'
import { createProgress } from '../stack/progress.js'
import { openBuildah } from './build/Buildah.js'
import { buildImages, type BuildOptions } from './build/buildImages.js'
import { checkImages } from './build/checkImages.js'
import { makeBase, type BaseOptions } from './build/makeBase.js'
import { readProject, type Project } from './compose/Project.js'
import { prove } from './prove/prove.js'

interface Options extends Pick<BuildOptions, 'dir' | 'ca' | 'npmrc'>, Pick<BaseOptions, 'debianMirror'> {
  localBase: boolean
  build: boolean
  prove: boolean
}

const progress = createProgress(process.stdout)
const composeFile = join(repositoryRoot, 'docker-compose.yml')

/** Also shows that the file is refused while something is missing, by the name of what is missing. */
async function checkCompose(dir: string): Promise<Project> {
  const { PATH } = process.env
  const required = [...(await readFile(composeFile, 'utf8')).matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name)
  const refusal = await readProject(dir, [composeFile], { PATH }).then(
    () => '',
    (error: Error) => error.message,
  )
  if (!required.some((name) => refusal.includes(name))) throw new Error('an empty configuration is not refused by name')
  return readProject(dir, [composeFile], { PATH, ...Object.fromEntries(required.map((name) => [name, './x'])) })
}

async function main({ dir, ca, npmrc, ...options }: Options): Promise<void> {
  const buildah = await openBuildah(dir)
  const project = await progress.step('docker-compose.yml, by Compose’s own parser', () => checkCompose(dir))
  const image = Object.values(project.services).find(({ build }) => build)?.build?.args.NODE_IMAGE ?? ''
  const { localBase: local, debianMirror } = options
  const base = await makeBase(buildah, { image, dir, local, debianMirror }, progress)
  const build = { dir, base, ...(ca && { ca }), ...(npmrc && { npmrc }) }
  if (options.build) await buildImages(buildah, project, build, progress)
  const sizes = await progress.step('contents and sizes', () => checkImages(buildah, project, build))
  for (const { image, megabytes, added } of sizes) {
    progress.say(`    ${image.padEnd(24)} ${megabytes.toFixed(1)} MB, ${added.toFixed(1)} MB more than the base`)
  }
  if (options.prove) await prove(buildah, project, join(dir, 'prove'), progress)
}

const { IMAGES_CA, IMAGES_NPMRC, XDG_CACHE_HOME } = process.env
const cache = XDG_CACHE_HOME || join(homedir(), '.cache')
await new Command('npm run images --')
  .description(
    'Builds every image with buildah, checks sizes, users and contents, starts them as docker-compose.yml says and\n' +
      'drives one proof through them. Needs root, and buildah and debootstrap (Debian packages of these names).',
  )
  .option('--dir <folder>', 'images, logs and data', join(cache, 'perigee/images'))
  .option('--local-base', 'make the base image here without asking the registry', false)
  .option('--debian-mirror <url>', 'where the base image’s packages come from, if not from debootstrap’s own')
  .option('--ca <file>', 'authorities (PEM) of a mirror that intercepts TLS; for the build alone', IMAGES_CA)
  .option('--npmrc <file>', 'npm’s settings for such a mirror; for the build alone', IMAGES_NPMRC)
  .option('--no-build', 'use the images of the last run')
  .option('--no-prove', 'only build and check')
  .action((options: Options) =>
    main(options).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exit(1)
    }),
  )
  .parseAsync()
