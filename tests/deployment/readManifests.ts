import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

export interface Manifest {
  file: string
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec: Record<string, unknown>
  data?: Record<string, string>
}
export interface Container {
  name: string
  image: string
  command?: string[]
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[]
  envFrom?: { configMapRef?: { name: string } }[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  securityContext?: object
  ports?: { name: string; containerPort: number }[]
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
  startupProbe?: object
  livenessProbe?: object
  readinessProbe?: object
}
export interface Pod {
  automountServiceAccountToken?: boolean
  securityContext?: object
  terminationGracePeriodSeconds?: number
  containers: Container[]
  initContainers?: Container[]
  volumes?: { name: string; secret?: { secretName: string }; configMap?: { name: string }; emptyDir?: object }[]
  hostNetwork?: boolean
}

const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url))

/** Every document of `base` or of an overlay, its kustomization left out. A key that stands twice is an error. */
export function readManifests(where: string): Manifest[] {
  const files = readdirSync(join(folder, where)).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  )
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, where, file), 'utf8'), { uniqueKeys: true }).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
      return { file, ...(document.toJS() as Omit<Manifest, 'file'>) }
    }),
  )
}

export function readKustomization(where: string): {
  resources: string[]
  patches?: { path: string }[]
  images?: { name: string; newTag?: string; digest?: string }[]
} {
  return parseAllDocuments(readFileSync(join(folder, where, 'kustomization.yaml'), 'utf8'))[0]?.toJS() as never
}

export function podOf({ spec }: Manifest): Pod {
  return (spec['template'] as { spec: Pod }).spec
}
