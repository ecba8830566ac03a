import type { Endpoint } from '@holdfast/contract'
import { toJSONSchema } from 'zod'
import type { SeededRandom } from './seeded-random.ts'

/** What goes wrong in other people's servers, each as the text of one field. */
const HOSTILE = [
  '',
  ' ',
  '\t',
  '\n',
  '0',
  '-0',
  '-1',
  '+1',
  '1.',
  '.5',
  '1e9',
  '0x10',
  '1_000',
  '007',
  ' 1',
  '1 ',
  '9007199254740993',
  '9'.repeat(78),
  '9'.repeat(79),
  `0.${'0'.repeat(35)}1`,
  `0.${'0'.repeat(40)}1`,
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  'false',
  '[]',
  '{}',
  '[[',
  '{"a":',
  '"text"',
  '[null]',
  '[1,2,3]',
  '{"__proto__":{"admin":true}}',
  '['.repeat(5000),
  JSON.stringify(Array.from({ length: 500 }, () => 'x')),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' or 1=1 --",
  '"; drop table person; --',
  '\\',
  '%',
  '%%',
  '%25',
  '%00',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '../../etc/passwd',
  '/dev/null',
  'file:/etc/passwd',
  'http://169.254.169.254/',
  '\0',
  'a\0b',
  '\u202eevil',
  '\u200bzero',
  '\ufeffbom',
  '\u2028line',
  'e\u0301',
  '\u00e9',
  '\ud83d\ude00',
  '\ud83d\ude00'.repeat(200),
  '\u0661\u0662\u0663',
  '\uff11',
  '\uffff',
  'A'.repeat(200),
  'A'.repeat(201),
  'A'.repeat(5000),
  '0x',
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  `0x${'F'.repeat(39)}`,
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-4000-8000-00000000000G',
  'eip155:1',
  'eip155:0',
  'bip122:000000000019d6689c085ae165831e93',
  'ETH',
  'eth',
  'ETH ',
  'USDX',
  'lookalike,contract,first_seen',
  'first_seen,,,,',
  'a'.repeat(64),
  'A'.repeat(43),
  'A'.repeat(86),
  'A'.repeat(87),
]

type Field = { name: string; own: string | undefined; texts: string[]; isOptional: boolean }

/** What to put into each field of an endpoint: what a call that succeeds has there, and what its own schema takes besides, its limits among it. */
export function fieldsOf(endpoint: Endpoint, ownCall: Readonly<Record<string, string>>, known: readonly string[]): Field[] {
  const schema = toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Limits>; required?: string[] }
  const { properties = {}, required = [] } = schema
  return Object.entries(endpoint.input.shape).map(([name, type]) => {
    const limits = properties[name] ?? {}
    const taken = [...(limits.enum ?? []), ...known, ...HOSTILE].filter((text) => accepts(type, text))
    return { name, own: ownCall[name], texts: [...taken, ...aroundLimits(limits)], isOptional: !required.includes(name) }
  })
}

type Limits = { enum?: string[]; minLength?: number; maxLength?: number }

function aroundLimits({ minLength, maxLength }: Limits): string[] {
  const lengths = [minLength, maxLength].flatMap((length) => (length === undefined ? [] : [length - 1, length, length + 1]))
  return lengths.filter((length) => length >= 0 && length <= 8192).map((length) => 'a'.repeat(length))
}

function accepts(schema: unknown, text: string): boolean {
  return (schema as { safeParse(value: unknown): { success: boolean } }).safeParse(text).success
}

/** A form: a third of them the call that succeeds but for one field, the others a mixture of good and bad. */
export function someForm(fields: readonly Field[], random: SeededRandom): [string, string][] {
  const strange = random.next() < 0.33 && fields.length > 0 ? random.pick(fields).name : undefined
  return fields.flatMap((field): [string, string][] => {
    const { name, own, isOptional } = field
    if (strange !== undefined && strange !== name) return own === undefined ? [] : [[name, own]]
    if (random.next() < (isOptional ? 0.4 : 0.03)) return []
    return [[name, someText(field, random)]]
  })
}

function someText({ own, texts }: Field, random: SeededRandom): string {
  const dice = random.next()
  if (own !== undefined && dice < 0.4) return own
  return random.pick(texts.length > 0 && dice < 0.75 ? texts : HOSTILE)
}

/** Encodes a form as a browser does, but leaves broken what was broken on purpose. */
export function encodeForm(form: readonly [string, string][]): string {
  return form.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`).join('&')
}

/** Forms that no page would send: broken encodings, twofold and foreign names, far too much of everything. */
export function brokenForm(form: readonly [string, string][], random: SeededRandom): string {
  const encoded = encodeForm(form)
  const [first = ['wallet_id', 'x']] = form
  return random.pick([
    `${encoded}&${encodeForm([first])}`,
    `${encoded}&${first[0]}[]=1`,
    `${encoded}&${first[0]}[a]=1`,
    `${encoded}&__proto__=1`,
    `${encoded}&constructor=1`,
    `${encoded}&unknown=1`,
    `${encoded}&`,
    '&&&&',
    '=',
    '=&=',
    encoded.replace('=', ''),
    encoded.replace('%', '%zz'),
    `${first[0]}=%ED%A0%80`,
    `${first[0]}=%FF%FE`,
    `${first[0]}=%C0%AF`,
    `${first[0]}=%00`,
    `${first[0]}=caf\u00e9`,
    `${first[0]}="`,
    'x='.repeat(300),
    Array.from({ length: 201 }, (_, i) => `f${i}=1`).join('&'),
    `${first[0]}=${'A'.repeat(6000)}`,
    JSON.stringify(Object.fromEntries(form)),
    '{"a":',
    '<?xml version="1.0"?>',
  ])
}
