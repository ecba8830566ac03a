import { AppError } from '@holdfast/contract'
import type { Random } from '@holdfast/ports'
import { hash, verify } from '@node-rs/argon2'

export type PasswordHasher = {
  /** The argon2id text (PHC form) of a new password. */
  hash(password: string): Promise<string>
  /** Whether a password belongs to the text. Without a text it works as long and answers no, so that time does not tell who exists. */
  verify(hashed: string | undefined, password: string): Promise<boolean>
}

/** argon2id, 64 MiB, 3 passes: above the minimum of OWASP's password storage cheat sheet (19 MiB, 2 passes); about 40 ms. */
const COST = { algorithm: 2, memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const
const WORKERS_MAX = 4
const WAITING_MAX = 200

/** Hashes passwords, at most four at once (256 MiB); past 200 that wait, further ones are refused as `rate_limited`. */
export function createPasswordHasher(random: Random): PasswordHasher {
  let running = 0
  const waiting: (() => void)[] = []
  let nobody: Promise<string> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= WAITING_MAX) throw new AppError('rate_limited', { details: { retry_after: 5 } })
    // A worker that ends hands its place to the next one, so the count does not move between them.
    if (running >= WORKERS_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  const make = (password: string) => inTurn(() => hash(password, { ...COST, salt: random.bytes(16) }))
  return {
    hash: make,
    verify: async (hashed, password) => {
      nobody ??= make(Buffer.from(random.bytes(32)).toString('base64url'))
      const against = hashed ?? (await nobody)
      return (await inTurn(() => verify(against, password))) && hashed !== undefined
    },
  }
}
