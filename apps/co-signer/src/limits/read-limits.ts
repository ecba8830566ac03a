import type { Ports } from '@holdfast/ports'
import { toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod'
import { readJson } from '../read-config.ts'

const network = z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'give a CAIP-2 chain such as eip155:1')
const amount = z.string().regex(/^(0|[1-9]\d{0,59})(\.\d{1,36})?$/, 'give an amount as text, such as "12.5"')
const place = z.strictObject({ network, address: z.string().min(1).max(128) })
const minute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'give a time such as 08:30')
const isZone = (zone: string) => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** What this co-signer lets through, beside what the policy does. What is not here is refused. */
export const limitsSchema = z.strictObject({
  networks: z.array(network),
  assets: z
    .array(z.strictObject({ network, contract: z.string().min(1).max(128).nullable(), perOrder: amount, perDay: amount }))
    .refine(
      (assets) => new Set(assets.map((each) => `${each.network} ${each.contract}`)).size === assets.length,
      'names an asset twice: which of the two would count?',
    ),
  destinations: z.strictObject({ allow: z.union([z.literal('any'), z.array(place)]), deny: z.array(place).default([]) }),
  contracts: z.array(place).default([]),
  stake: z.array(network).default([]),
  hours: z
    .strictObject({
      zone: z.string().refine(isZone, 'give a time zone such as Europe/Berlin'),
      windows: z
        .array(
          z
            .strictObject({ days: z.array(z.enum(DAYS)).min(1), from: minute, until: minute })
            .refine(({ from, until }) => from < until, 'gives a time that ends before it begins: write two windows for a night'),
        )
        .min(1),
    })
    .nullable()
    .default(null),
})

export type Limits = z.output<typeof limitsSchema>

/** Reads the limits; `digest` is the SHA-256 of the file, so that everybody can compare which limits count. Throws ConfigError. */
export async function readLimits(ports: Pick<Ports, 'disk'>, path: string): Promise<{ limits: Limits; digest: string }> {
  const limits = await readJson(ports, path, limitsSchema)
  return { limits, digest: toHex(sha256((await ports.disk.read(path)) ?? new Uint8Array(0))) }
}
