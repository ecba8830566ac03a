import type { Shape, StructShape } from '@holdfast/encoding'
import {
  envelopeShape,
  generateKeyShape,
  joinShape,
  pairSetupShape,
  reshareShape,
  sessionIdShape,
  shareCheckShape,
  signedShape,
  signShape,
} from '@holdfast/protocol'
import { writeFileSync } from 'node:fs'
import { placeShape } from '../../apps/signer/src/sessions/envelopes.ts'
import * as baseOt from '../../packages/mpc/src/transfer/base-ot.ts'
import * as derive from '../../packages/mpc/src/key/derive.ts'
import * as echo from '../../packages/mpc/src/round/echo.ts'
import * as frost from '../../packages/mpc/src/sign/frost-sign.ts'
import * as generation from '../../packages/mpc/src/key/key-generation.ts'
import { keyPublicShape, keyShareShape } from '../../packages/mpc/src/key/key-share.ts'
import * as setup from '../../packages/mpc/src/sign/pair-setup.ts'
import { blockShape, seedShape } from '../../packages/mpc/src/round/randomness.ts'
import * as resharing from '../../packages/mpc/src/key/reshare.ts'
import * as vole from '../../packages/mpc/src/transfer/rvole.ts'
import * as sequence from '../../packages/mpc/src/sign/sequence.ts'
import * as shareCheck from '../../packages/mpc/src/key/share-check.ts'
import * as alone from '../../packages/mpc/src/sign/sign-alone.ts'
import * as sign from '../../packages/mpc/src/sign/sign.ts'
import type { Round } from '../../packages/mpc/src/round/step.ts'
import * as transcript from '../../packages/mpc/src/round/transcript.ts'

/** Where docs/protocol.md has the tables. `node test/vectors/message-tables.ts` writes them. */
export const TABLES = new URL('../../docs/protocol-messages.md', import.meta.url).pathname

type Table = { title: string; name?: string; statement?: StructShape; rounds?: Round<StructShape>[]; hashed?: StructShape[] }

const tables: Table[] = [
  {
    title: 'The session layer',
    hashed: [generateKeyShape, pairSetupShape, signShape, reshareShape, shareCheckShape, joinShape, sessionIdShape, envelopeShape, placeShape, signedShape],
  },
  {
    title: 'Every protocol',
    hashed: [
      transcript.bindingShape,
      transcript.sessionShape,
      transcript.headerShape,
      transcript.messageShape,
      transcript.prefixShape,
      sequence.partShape,
      seedShape,
      blockShape,
    ],
  },
  { title: 'Keys and children', hashed: [keyPublicShape, keyShareShape, derive.childShape, alone.nonceShape] },
  {
    title: 'Key generation',
    name: 'key-generation',
    statement: generation.statementShape,
    rounds: [generation.commitRound, generation.revealRound, generation.shareRound, echo.confirmRound],
    hashed: [generation.openingShape, generation.chainCodeShape, echo.transcriptShape],
  },
  {
    title: 'Pair set-up',
    name: 'pair-setup',
    statement: setup.statementShape,
    rounds: [setup.chooseRound, setup.answerRound, setup.confirmRound],
    hashed: [setup.openingShape, baseOt.keyPrefixShape, setup.partShape, setup.setupIdShape, setup.jointSeedShape, setup.pairSeedsShape],
  },
  {
    title: 'ECDSA signing',
    name: 'sign',
    statement: sign.statementShape,
    rounds: [sign.firstRound, sign.secondRound, sign.thirdRound],
    hashed: [sign.commitmentShape, vole.noncesShape, vole.gadgetShape],
  },
  { title: 'FROST signing', name: 'frost-sign', statement: frost.statementShape, rounds: [frost.nonceRound, frost.shareRound] },
  {
    title: 'Resharing',
    name: 'reshare',
    statement: resharing.statementShape,
    rounds: [resharing.commitRound, resharing.revealRound, resharing.shareRound, echo.confirmRound],
    hashed: [resharing.openingShape, echo.transcriptShape],
  },
  { title: 'Share check', name: 'share-check', statement: shareCheck.statementShape, rounds: [shareCheck.proofRound], hashed: [shareCheck.challengeShape] },
]

const INTRODUCTION = `# Messages and hashed structs

Made from the code by \`node test/vectors/message-tables.ts\`; a test fails where it differs. docs/protocol.md says what the fields mean.

A struct's bytes are its tag and its fields in the order given here, each with its type byte (docs/adr; \`packages/encoding/src/codec.ts\`). \`bytes 32\` is exactly 32 bytes, \`bytes to 33\` at most 33;
\`uint 8\` is an unsigned integer of at most 8 bits; \`text to 64\` is at most 64 bytes of UTF-8 in Unicode NFC. A field that is a struct stands in its place with its own tag. Points and scalars are
\`bytes\`: how many is said in section 1 of docs/protocol.md, and a receiver refuses every other number.

A message travels as \`holdfast/mpc/message/v1\`, whose payload is the bytes of the struct in its row. "All" is a broadcast (\`to\` is 0); "one" goes to one receiver and is sealed for it.
`

const described = (shape: Shape): string => {
  switch (shape.kind) {
    case 'bytes':
      return shape.length === undefined ? `bytes to ${shape.max}` : `bytes ${shape.length}`
    case 'text':
      return `text to ${shape.max}`
    case 'uint':
      return `uint ${shape.bits}`
    case 'bool':
      return 'bool'
    case 'list':
      return `list to ${shape.max} of ${described(shape.item)}`
    case 'optional':
      return `${described(shape.inner)}, or absent`
    case 'struct':
      return `\`${shape.tag}\``
    case 'union':
      return `one of ${Object.values<StructShape>(shape.variants).map(described).join(', ')}`
  }
}

const fieldsOf = ({ fields }: StructShape): string =>
  Object.entries<Shape>(fields)
    .map(([name, shape]) => `\`${name}\` ${described(shape)}`)
    .join('; ')

/** The structs that stand in fields of `shape`, and in theirs. */
function innerOf(shape: Shape): StructShape[] {
  if (shape.kind === 'list') return innerOf(shape.item)
  if (shape.kind === 'optional') return innerOf(shape.inner)
  return shape.kind === 'struct' ? [shape, ...Object.values<Shape>(shape.fields).flatMap(innerOf)] : []
}

function tableOf({ title, name, statement, rounds = [], hashed = [] }: Table, said: Set<string>): string {
  const lines = [`## ${title}`, '']
  if (name !== undefined) lines.push(`Name in the binding: \`${name}\`.`, '')
  if (rounds.length > 0) {
    lines.push('| round | to | message | fields |', '|---|---|---|---|')
    for (const { number, kind, shape } of rounds) lines.push(`| ${number} | ${kind === 'broadcast' ? 'all' : 'one'} | \`${shape.tag}\` | ${fieldsOf(shape)} |`)
    lines.push('')
  }
  const inMessages = rounds.flatMap(({ shape }) => innerOf(shape).slice(1))
  const rest = [...inMessages, ...[statement, ...hashed].flatMap((shape) => (shape ? innerOf(shape) : []))]
  const sent = new Set(rounds.map(({ shape }) => shape.tag))
  lines.push('| struct | fields |', '|---|---|')
  for (const shape of rest) {
    if (said.has(shape.tag) || sent.has(shape.tag)) continue
    said.add(shape.tag)
    lines.push(`| \`${shape.tag}\`${shape === statement ? ' (the statement)' : ''} | ${fieldsOf(shape)} |`)
  }
  return `${lines.join('\n')}\n`
}

/** The text of docs/protocol-messages.md. */
export function messageTables(): string {
  const said = new Set<string>()
  return [INTRODUCTION, ...tables.map((table) => tableOf(table, said))].join('\n')
}

if (import.meta.main) writeFileSync(TABLES, messageTables())
