// Checks the manifests against Kubernetes' own schemas, strictly: node deploy/kubernetes/validate.mjs
//   KUBECONFORM           the program kubeconform (go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0); PATH by default
//   KUSTOMIZE             the program kustomize; PATH by default. Without it the base is checked and the overlay is not
//   KUBERNETES_OPENAPI    api/openapi-spec/swagger.json of Kubernetes; without it kubeconform downloads its schemas
//   KEDA_CRDS             folder config/crd/bases of KEDA; without it KEDA's kinds are skipped, and it says so
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments, stringify } from 'yaml'

const here = fileURLToPath(new URL('.', import.meta.url))
const { KUBECONFORM = 'kubeconform', KUSTOMIZE = 'kustomize', KUBERNETES_OPENAPI, KEDA_CRDS } = process.env
const isThere = (program, args) => spawnSync(program, args, { stdio: 'ignore' }).error === undefined

if (!isThere(KUBECONFORM, ['-v'])) {
  console.log('SKIPPED: kubeconform is not installed, so no manifest was checked against a schema')
  process.exit(0)
}
const dir = mkdtempSync(join(tmpdir(), 'perigee-manifests-'))
try {
  process.exitCode = validate(render(), schemaArguments())
} finally {
  rmSync(dir, { recursive: true, force: true })
}

/** The manifests as they would be applied. */
function render() {
  if (isThere(KUSTOMIZE, ['version'])) {
    const { status, stdout, stderr } = spawnSync(KUSTOMIZE, ['build', overlayWithWebhooks()], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  console.log('SKIPPED: kustomize is not installed, so the overlay was not checked; the base and the webhooks are')
  return ['base', 'components/webhooks'].flatMap(readResources).join('\n---\n')
}

/** The overlay for production with every optional component. */
function overlayWithWebhooks() {
  const from = (path) => relative(realpathSync(dir), join(here, path)) // kustomize refuses absolute paths
  const content = { resources: [from('overlays/production')], components: [from('components/webhooks')] }
  writeFileSync(join(dir, 'kustomization.yaml'), stringify(content))
  return dir
}

function readResources(where) {
  const { resources } = parse(readFileSync(join(here, where, 'kustomization.yaml'), 'utf8'))
  return resources.map((file) => readFileSync(join(here, where, file), 'utf8'))
}

function schemaArguments() {
  const places = ['-schema-location', `${dir}/{{ .ResourceKind }}-{{ .Group }}-{{ .ResourceAPIVersion }}.json`]
  if (KUBERNETES_OPENAPI) writeKubernetesSchemas(JSON.parse(readFileSync(KUBERNETES_OPENAPI, 'utf8')).definitions)
  else places.push('-schema-location', 'default')
  if (KEDA_CRDS) writeCustomSchemas(KEDA_CRDS)
  else {
    console.log('SKIPPED: KEDA_CRDS is not set, so the kinds of keda.sh were not checked')
    places.push('-skip', 'ScaledObject,TriggerAuthentication')
  }
  return places
}

/** kubeconform takes `v1` for the group where there is none. */
function writeSchema({ group, version, kind }, schema) {
  writeFileSync(join(dir, `${kind.toLowerCase()}-${group || version}-${version}.json`), JSON.stringify(schema))
}

/** One file for each kind, with the definitions that it needs inside: kubeconform follows no references between files. */
function writeKubernetesSchemas(definitions) {
  for (const [name, definition] of Object.entries(definitions)) {
    for (const place of definition['x-kubernetes-group-version-kind'] ?? []) {
      const needed = {}
      collect(name, definitions, needed)
      writeSchema(place, { $ref: `#/definitions/${name}`, definitions: needed })
    }
  }
}

function collect(name, definitions, into) {
  if (into[name]) return
  into[name] = strict(definitions[name])
  for (const [, other] of JSON.stringify(into[name]).matchAll(/"#\/definitions\/([^"]+)"/g))
    collect(other, definitions, into)
}

function writeCustomSchemas(folder) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
      const { spec } = document.toJS() ?? {}
      for (const { name, schema } of spec?.versions ?? []) {
        const root = strict(schema.openAPIV3Schema)
        root.properties.metadata = { type: 'object' }
        writeSchema({ group: spec.group, version: name, kind: spec.names.kind }, root)
      }
    }
  }
}

/** A member that the schema does not list is a typo. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]))
  const open = copy['x-kubernetes-preserve-unknown-fields'] || copy.additionalProperties !== undefined
  if (copy.properties && typeof copy.properties === 'object' && !open) copy.additionalProperties = false
  if (copy.format === 'int-or-string' || copy['x-kubernetes-int-or-string']) delete copy.type
  return copy
}

function validate(manifests, places) {
  const args = ['-strict', '-summary', '-verbose', ...places, '-']
  return spawnSync(KUBECONFORM, args, { input: manifests, stdio: ['pipe', 'inherit', 'inherit'] }).status ?? 1
}
