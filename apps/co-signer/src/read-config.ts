import { isAbsolute, join, dirname, resolve } from 'node:path'
import { fromHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import * as z from 'zod'

/** Something in a file of this co-signer is missing or wrong. The message says each fault in a line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'give 64 hexadecimal digits')
  .transform(fromHex)
const port = z.int('give a port number').min(1, 'give a port above 0').max(65_535, 'give a port below 65536')
const url = z.url({ protocol: /^https?$/, error: 'give an address such as http://127.0.0.1:9000/co-signer' })
const timeoutMs = z.int().min(100, 'give at least 100 ms').max(60_000, 'give at most 60000 ms').default(10_000)

/** Every value of the file; an unknown one is a mistake. docs/operating/co-signer.md says the same for people. */
const schema = z.strictObject({
  organisation: key,
  machine: z.string().min(1, 'give the id of this machine in the policy').max(64),
  server: z.strictObject({ host: z.string().min(1), port, key }),
  proxy: z
    .string()
    .refine(
      (value) => URL.canParse(value) && new URL(value).protocol === 'http:' && new URL(value).pathname === '/',
      'give a proxy such as http://proxy.example:3128',
    )
    .nullable()
    .default(null),
  files: z
    .strictObject({
      key: z.string().min(1).default('key'),
      journal: z.string().min(1).default('journal'),
      witness: z.string().min(1).default('journal.witness'),
      limits: z.string().min(1).default('limits.json'),
    })
    .prefault({}),
  callback: z
    .discriminatedUnion('form', [
      z.strictObject({ form: z.literal('field'), url, timeoutMs }),
      z.strictObject({ form: z.literal('signed'), url, timeoutMs, key }),
    ])
    .nullable()
    .default(null),
  figures: z
    .strictObject({ host: z.string().min(1).default('127.0.0.1'), port })
    .nullable()
    .default(null),
})

export type Config = z.output<typeof schema>
export type Callback = NonNullable<Config['callback']>

/** Reads the file and checks all of it; paths in it are seen from its folder. Throws ConfigError. */
export async function readConfig({ disk }: Pick<Ports, 'disk'>, path: string): Promise<Config> {
  const config = await readJson({ disk }, path, schema)
  const folder = dirname(resolve(path))
  const placed = (file: string) => (isAbsolute(file) ? file : join(folder, file))
  const { key: keyFile, journal, witness, limits } = config.files
  return { ...config, files: { key: placed(keyFile), journal: placed(journal), witness: placed(witness), limits: placed(limits) } }
}

/** A file of JSON in a shape. Throws ConfigError naming the file and every fault. */
export async function readJson<S extends z.ZodType>({ disk }: Pick<Ports, 'disk'>, path: string, shape: S): Promise<z.output<S>> {
  const content = await disk.read(path)
  if (!content) throw new ConfigError(`${path}: there is no such file. \`init\` makes one`)
  const parsed = shape.safeParse(parseJson(path, content))
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map((issue) => `${path}: ${issue.path.join('.') || 'the whole'}: ${issue.message}`).join('\n'))
}

function parseJson(path: string, content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch (cause) {
    throw new ConfigError(`${path}: is not JSON (${(cause as Error).message})`, { cause })
  }
}
