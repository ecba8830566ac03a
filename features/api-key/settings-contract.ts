import * as z from 'zod'

/** What a key can be permitted, each a right of the calls themselves. Nothing here governs: no key changes policies, people, keys or other keys. */
export const KEY_PERMISSIONS = [
  'wallet.read',
  'address.read',
  'transaction.read',
  'approval.read',
  'evidence.read',
  'address_book.read',
  'collection.read',
  'co_signer.read',
  'tools.read',
  'kyt.read',
  'notification.read',
  'wallet.create',
  'address.create',
  'withdraw.create',
  'withdraw.cancel',
  'web3.create',
  'batch.create',
  'transaction.mark',
  'kyt.write',
  'collection.operate',
  'co_signer.write',
  'tools.write',
  'notification.write',
] as const

export const ADDRESSES_MAX = 20

const sourceAddress = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'give an IPv4 or IPv6 address, or a range such as 203.0.113.0/24')
  .refine((text) => !text.endsWith('/0'), 'a range of all addresses narrows nothing: name those of your programs')

/** A sub-wallet as the policy names what is paid from. */
export const sourceWallet = z.object({
  name: z.string().min(1).max(64),
  key_id: z.string().regex(/^[0-9a-f]{64}$/),
  path: z.array(z.int().min(0).max(2_147_483_647)).max(8),
})

/** An RSA key of a program as it is pasted: PEM, or the base64 of it. */
const rsaKey = z.string().min(300).max(1200)

/** What a program of door two can be called back about. */
export const CALLED_BACK_SIDES = ['deposit', 'withdraw', 'web3-trans'] as const

const callback = z.object({
  url: z.string().min(1).max(2048).describe('Called in the form of the field: app_id and data. https, on the public internet'),
  sides: z
    .array(z.enum(CALLED_BACK_SIDES))
    .min(1)
    .refine((sides) => new Set(sides).size === sides.length, 'it was given twice'),
})

/** The keys of a program that calls at door two. The policy has their fingerprint, so that none of them is another without people. */
const doorTwo = z.object({
  request_key: rsaKey.describe('The public half of the key by which it makes requests: RSA of 2048 bits'),
  sign_key: rsaKey.nullable().describe('The public half of the key by which it signs orders; null where that is the same'),
  callback: callback.nullable().default(null).describe('Where it is called back, of sub-wallets that it may name; null for nowhere'),
})

/** What a key may ask of the server. It narrows what the policy allows and never gives more. */
export const keySettings = z.object({
  permissions: z.array(z.enum(KEY_PERMISSIONS)).max(KEY_PERMISSIONS.length),
  wallets: z.array(z.uuid()).max(500).nullable().describe('The sub-wallets that it may name; null for all'),
  addresses: z
    .array(sourceAddress)
    .max(ADDRESSES_MAX)
    .describe('The addresses that it may call from: IPv4, IPv6 and CIDR ranges. None is none: the key is off'),
  per_minute: z.int().min(1).max(6000).describe('How many calls it may make in a minute'),
  is_on: z.boolean(),
  door_two: doorTwo.nullable().default(null).describe('Of a key that calls at door two, which is weaker: its RSA keys; null for any other'),
})
export type KeySettings = z.output<typeof keySettings>
