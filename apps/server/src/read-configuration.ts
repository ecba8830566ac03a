import { fromHex } from '@holdfast/encoding'
import { isExplorer } from '@holdfast/features/network/explorers'
import { isMailAddress, type MailServer } from '@holdfast/mail'
import { networksApart } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { readAddressRanges } from '@holdfast/ports/address-ranges'
import * as z from 'zod'

const hexKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'give 64 hexadecimal digits')
  .transform(fromHex)
const hexDigest = z.string().regex(/^[0-9a-f]{64}$/, 'give a SHA-256 as 64 hexadecimal digits')
const port = z
  .string()
  .regex(/^\d{1,5}$/, 'give a port number')
  .transform(Number)
  .refine((value) => value < 65_536, 'give a port below 65536')
const origin = z
  .string()
  .refine((value) => URL.canParse(value) && new URL(value).origin === value, 'give an origin such as https://console.example, without a path')

const EXPLORERS_MAX = 4

const networkSchema = z
  .object({
    chain: z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'give a CAIP-2 chain such as eip155:1 or tron:0x2b6653dc'),
    name: z.string().min(1).max(50),
    rpc_urls: z
      .array(z.url())
      .min(1)
      .refine((urls) => new Set(urls).size === urls.length, 'give each source once: one that is asked twice always agrees with itself'),
    native: z.object({ symbol: z.string().min(1).max(16), decimals: z.int().min(0).max(36) }),
    tokens: z.array(z.object({ contract: z.string(), symbol: z.string().min(1).max(16), decimals: z.int().min(0).max(36) })).default([]),
    collections: z.array(z.object({ standard: z.enum(['erc721', 'erc1155']), contract: z.string(), symbol: z.string().min(1).max(16) })).default([]),
    finality_blocks: z.int().min(1).max(10_000),
    read_from: z.int().min(0).optional(),
    local: z.boolean().default(false),
    faucet_url: z.url().nullable().default(null),
    explorers: z
      .array(z.strictObject({ tx_link: z.string().max(300), address_link: z.string().max(300) }))
      .max(EXPLORERS_MAX)
      .default([]),
  })
  .refine(
    ({ explorers, local }) => explorers.every((each) => isExplorer(each, local)),
    'give explorers as https links of one host each, with {txid} in tx_link and {address} in address_link',
  )
const networksSchema = z
  .array(networkSchema)
  .min(1)
  .superRefine((networks, context) => {
    const apart = networksApart(networks.map(({ chain }) => chain))
    if (apart) context.addIssue({ code: 'custom', message: `give one of ${apart.join(' and ')}: what is signed for the one is valid on the other` })
  })
export type NetworkConfiguration = z.infer<typeof networkSchema>

/** Every variable the server reads, and nothing else is read. docs/configuration.md says the same for people. */
const schema = z.object({
  DATABASE_URL: z.string().min(1).optional(),
  SERVER_DATA: z.string().min(1).optional(),
  SERVER_HOST: z.string().default('127.0.0.1'),
  SERVER_PORT: port.default(7000),
  SERVER_ORIGIN: origin,
  SERVER_TRUSTED_PROXIES: z
    .string()
    .transform((value) => readAddressRanges(value))
    .refine((ranges) => ranges !== undefined, 'give addresses or CIDR ranges by comma, or none')
    .optional(),
  SERVER_CONSOLE: z.string().min(1),
  SERVER_IDENTITY: z.string().min(1),
  SERVER_SECRET_FILE: z.string().min(1),
  SERVER_LINK_HOST: z.string().default('127.0.0.1'),
  SERVER_LINK_PORT: port.default(7010),
  SERVER_MACHINE_HOST: z.string().default('127.0.0.1'),
  SERVER_MACHINE_PORT: port.optional(),
  SERVER_SIGNER_KEYS: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(hexKey).length(3, 'give the link keys of signers 1, 2 and 3, by comma')),
  SERVER_APPROVAL_ORIGIN: origin,
  SERVER_NETWORKS: z.string().min(1),
  SERVER_PRICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SERVER_ENERGY_MARKET_URL: z.url({ protocol: /^https?$/ }).optional(),
  SERVER_DEMO_RECIPIENTS: z.string().min(1).optional(),
  SERVER_DEMO_DRILL_URL: z.url({ protocol: /^https?$/ }).optional(),
  SERVER_OPEN_SETUP: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  SERVER_RATE_PER_SESSION: z
    .string()
    .regex(/^\d{1,6}$/, 'give a whole number')
    .default('60')
    .transform(Number),
  SERVER_KEY_CHECK_HOURS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'give a number of hours from 1 to 999')
    .default('24')
    .transform(Number),
  SERVER_KEY_REFRESH_DAYS: z
    .string()
    .regex(/^\d{1,4}$/, 'give a number of days, or 0 for never')
    .default('90')
    .transform(Number),
  SERVER_KEY_EXPORT_HOURS: z
    .string()
    .regex(/^\d{1,3}$/, 'give a number of hours')
    .default('24')
    .transform(Number),
  SERVER_RECOVERY_TOOL_URL: z.url({ protocol: /^https$/ }).optional(),
  SERVER_RECOVERY_TOOL_SHA256: hexDigest.optional(),
  SERVER_SMTP_URL: z
    .string()
    .refine(
      (value) => /^smtps?:\/\/[^\s/?#]+\/?$/.test(value) && URL.canParse(value),
      'give a mail server such as smtps://user@mail.example or smtp://mail.example:587',
    )
    .refine((value) => !URL.canParse(value) || new URL(value).password === '', 'give the password in the file that SERVER_SMTP_PASSWORD_FILE names')
    .optional(),
  SERVER_SMTP_PASSWORD_FILE: z.string().min(1).optional(),
  SERVER_MAIL_FROM: z.string().refine(isMailAddress, 'give an address such as holdfast@company.example').optional(),
  SERVER_NOTIFY_LOCAL_HOSTS: z
    .string()
    .regex(/^$|^[^,\s/]+:\d{1,5}(,[^,\s/]+:\d{1,5})*$/, 'give hosts with ports, such as localhost:9000, by comma')
    .default('')
    .transform((value) => new Set(value.toLowerCase().split(',').filter(Boolean))),
})

export type ServerConfiguration = z.output<typeof schema> & {
  networks: NetworkConfiguration[]
  demoRecipients: string[][] | null
  mailServer: MailServer | undefined
}

/** Thrown with one line for each variable that is missing or wrong. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

/** Reads and checks the environment and the files it names. Throws ConfigurationError naming every fault at once. */
export async function readConfiguration(ports: Pick<Ports, 'process' | 'disk'>): Promise<ServerConfiguration> {
  const parsed = schema.safeParse(ports.process.env)
  if (!parsed.success) throw new ConfigurationError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const settings = parsed.data
  if (!settings.DATABASE_URL && !settings.SERVER_DATA)
    throw new ConfigurationError('DATABASE_URL: give the address of a PostgreSQL server, or a folder for the embedded one in SERVER_DATA')
  // This program speaks plain http: what is public on https stands behind a proxy, and without its word all people would share one address.
  if (settings.SERVER_ORIGIN.startsWith('https:') && !settings.SERVER_TRUSTED_PROXIES)
    throw new ConfigurationError('SERVER_TRUSTED_PROXIES: give the addresses or CIDR ranges of the TLS proxies before this server, by comma, or none')
  if (!settings.SERVER_RECOVERY_TOOL_URL !== !settings.SERVER_RECOVERY_TOOL_SHA256)
    throw new ConfigurationError('SERVER_RECOVERY_TOOL_URL: give the address of the recovery tool together with its digest in SERVER_RECOVERY_TOOL_SHA256')
  const networks = await readJson(ports, 'SERVER_NETWORKS', settings.SERVER_NETWORKS, networksSchema)
  const demoRecipients = settings.SERVER_DEMO_RECIPIENTS
    ? await readJson(ports, 'SERVER_DEMO_RECIPIENTS', settings.SERVER_DEMO_RECIPIENTS, z.array(z.array(z.string()).min(1)).length(3))
    : null
  return { ...settings, networks, demoRecipients, mailServer: await readMailServer(ports, settings) }
}

const SMTP_PORT = 587
const SMTPS_PORT = 465

/** The mail server, or undefined if none is set: then no mail is sent. */
async function readMailServer(
  ports: Pick<Ports, 'disk'>,
  { SERVER_SMTP_URL: given, SERVER_SMTP_PASSWORD_FILE: file, SERVER_MAIL_FROM: from }: z.output<typeof schema>,
): Promise<MailServer | undefined> {
  if (!given && !file && !from) return undefined
  if (!given || !from) throw new ConfigurationError('SERVER_SMTP_URL: give the mail server together with a sender in SERVER_MAIL_FROM')
  const url = new URL(given)
  const isSecure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  if ((user === '') !== (file === undefined))
    throw new ConfigurationError('SERVER_SMTP_PASSWORD_FILE: give the user in SERVER_SMTP_URL together with the password in this file, or neither')
  const content = file === undefined ? undefined : await ports.disk.read(file)
  if (file !== undefined && !content) throw new ConfigurationError(`SERVER_SMTP_PASSWORD_FILE: there is no file ${file}`)
  const password = content && new TextDecoder().decode(content).replace(/\r?\n$/, '')
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) || (isSecure ? SMTPS_PORT : SMTP_PORT), isSecure, user, password, from }
}

async function readJson<S extends z.ZodType>(ports: Pick<Ports, 'disk'>, variable: string, path: string, shape: S): Promise<z.output<S>> {
  const content = await ports.disk.read(path)
  if (!content) throw new ConfigurationError(`${variable}: there is no file ${path}`)
  try {
    return shape.parse(JSON.parse(new TextDecoder().decode(content)))
  } catch (cause) {
    throw new ConfigurationError(`${variable}: ${path} is not as it should be: ${cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)}`, {
      cause,
    })
  }
}
