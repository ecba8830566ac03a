import { globSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { errorCatalogue, type ErrorName } from '@holdfast/features/error-catalogue'
import { parseSync } from '@swc/core'

// Reads from the sources which refusals the code of each call can end in: from its handler through everything that is named on the way.

/** What a piece of a program says: the refusals it makes, the names it uses, and the members it asks of what it was given. */
type Part = { refusals: Set<ErrorName>; names: Set<string>; members: Set<string> }
type Parts = Map<string, Part>
type Module = {
  parts: Parts
  /** A name here, and what it is where it comes from. */
  imports: Map<string, { path: string; name: string }>
  everythingOf: string[]
  handlers: { name: string; part: Part; scope: Parts }[]
}
type Node = { type: string; value?: unknown } & Record<string, unknown>
type Place = { path: string; name: string }

/** What stands in front of every call. */
const IN_FRONT = ['packages/http/src/{answer-call,check-origin,create-http-server,rate-limits}.ts', 'packages/http/src/{serve-*,test-server}.ts']
const HANDLED = ['features/**/*.ts', 'packages/**/*.ts']
const NOT_HANDLED = ['**/node_modules/**', '**/*.test.ts', '**/*.suite.ts', '**/testing/**', '**/console/**', 'packages/ui/**', ...IN_FRONT]

/**
 * The refusals that the code of each call names, by the call's name in its contract. What a function is handed (`needs.demandCode()`) is taken for the one
 * function of that name. Refusals that stand in front of every call (packages/http) are not among them.
 */
export function callRefusals(): Map<string, ErrorName[]> {
  const paths = globSync(HANDLED, { exclude: NOT_HANDLED })
  const modules = new Map(paths.map((path) => [path, readModule(path)]))
  const byName = Map.groupBy(
    [...modules].flatMap(([path, { parts }]) => [...parts.keys()].map((name): Place => ({ path, name }))),
    ({ name }) => name,
  )
  const handed = (name: string) => (byName.get(name)?.length === 1 ? byName.get(name)?.[0] : undefined)
  return new Map(
    [...modules].flatMap(([from, { handlers }]) =>
      handlers.map(({ name, part, scope }) => [name, refusalsOf(modules, handed, { from, part, scope })] as const),
    ),
  )
}

function refusalsOf(
  modules: ReadonlyMap<string, Module>,
  handed: (name: string) => Place | undefined,
  { from, part, scope }: { from: string; part: Part; scope: Parts },
): ErrorName[] {
  const seen = new Set<Part>()
  const refusals = new Set<ErrorName>()
  const visit = (path: string, at: Part, local?: Parts): void => {
    if (seen.has(at)) return
    seen.add(at)
    for (const each of at.refusals) refusals.add(each)
    for (const name of at.names) {
      const inner = local?.get(name)
      if (inner) visit(path, inner, local)
      else goTo(find(modules, { path, name }))
    }
    for (const name of at.members) goTo(handed(name))
  }
  const goTo = (place: Place | undefined): void => {
    const next = place && modules.get(place.path)?.parts.get(place.name)
    if (place && next) visit(place.path, next)
  }
  visit(from, part, scope)
  return [...refusals].toSorted()
}

/** Where a name that a module uses is declared. */
function find(modules: ReadonlyMap<string, Module>, { path, name }: Place): Place | undefined {
  const module = modules.get(path)
  if (module?.parts.has(name)) return { path, name }
  const imported = module?.imports.get(name)
  if (imported) return find(modules, imported)
  for (const other of module?.everythingOf ?? []) {
    const found = find(modules, { path: other, name })
    if (found) return found
  }
  return undefined
}

function readModule(path: string): Module {
  const { body } = parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', target: 'es2022' }) as unknown as { body: Node[] }
  const module: Module = { parts: new Map(), imports: new Map(), everythingOf: [], handlers: [] }
  for (const item of body) {
    const source = item['source'] ? pathOf(path, textOf(item['source'])) : undefined
    if (source !== undefined && item.type === 'ExportAllDeclaration') module.everythingOf.push(source)
    for (const each of source === undefined ? [] : ((item['specifiers'] ?? []) as Node[])) {
      const name = each.type === 'ImportNamespaceSpecifier' ? '*' : textOf(each['imported'] ?? each['orig'] ?? each['local'])
      module.imports.set(textOf(each['exported'] ?? each['local'] ?? each['orig']), { path: source ?? '', name })
    }
  }
  for (const item of body) {
    const declaration = item.type === 'ExportDeclaration' ? (item['declaration'] as Node) : item
    for (const [name, part] of declaredBy(declaration)) module.parts.set(name, part)
    module.handlers.push(...handlersIn(declaration, path, module.imports))
  }
  return module
}

/** The calls that a function joins with their handlers: `handle(contract.createWallet, …)`. */
function handlersIn(declaration: Node, path: string, imports: Module['imports']): Module['handlers'] {
  const statements = ((declaration['body'] as Node | null | undefined)?.['stmts'] ?? []) as Node[]
  const scope: Parts = new Map(statements.flatMap((statement) => [...declaredBy(statement)]))
  if (!imports.get('handle')?.path.startsWith('packages/http/')) return []
  return [...under(declaration)].flatMap((call) => {
    if (call.type !== 'CallExpression' || textOf(call['callee']) !== 'handle') return []
    const [endpoint, ...rest] = (call['arguments'] as { expression: Node }[]).map(({ expression }) => expression)
    const isMember = endpoint?.type === 'MemberExpression'
    const imported = imports.get(textOf(isMember ? endpoint['object'] : endpoint))
    if (!imported) throw new Error(`${path}: handle() is to be given a call of a contract, so that it can be seen which one it is`)
    return [{ name: isMember ? textOf(endpoint['property']) : imported.name, part: partOf(rest), scope }]
  })
}

/** The constants, functions and classes that a statement declares. */
function declaredBy(statement: Node): Parts {
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') return new Map([[textOf(statement['identifier']), partOf(statement)]])
  if (statement.type !== 'VariableDeclaration') return new Map()
  return new Map(
    (statement['declarations'] as Node[]).flatMap(({ id, init }) =>
      [...under(id)].flatMap((each) => (each.type === 'Identifier' ? [[textOf(each), partOf(init)] as const] : [])),
    ),
  )
}

function partOf(node: unknown): Part {
  const part: Part = { refusals: new Set(), names: new Set(), members: new Set() }
  for (const each of under(node)) {
    if (each.type === 'Identifier') part.names.add(textOf(each))
    if (each.type === 'CallExpression' && (each['callee'] as Node).type === 'MemberExpression') part.members.add(textOf((each['callee'] as Node)['property']))
    if (each.type !== 'NewExpression' || textOf(each['callee']) !== 'AppError') continue
    // A refusal of the system is named, and one of a feature is a member of the feature's.
    for (const inner of under((each['arguments'] as unknown[])[0]))
      if ((inner.type === 'StringLiteral' || inner.type === 'Identifier') && isErrorName(textOf(inner))) part.refusals.add(textOf(inner) as ErrorName)
  }
  return part
}

function* under(node: unknown): Generator<Node> {
  if (node === null || typeof node !== 'object') return
  if (typeof (node as Node).type === 'string') yield node as Node
  for (const value of Object.values(node)) yield* under(value)
}

const isErrorName = (name: string) => Object.hasOwn(errorCatalogue, name)
const textOf = (node: unknown): string => String((node as Node | undefined)?.value ?? '')

function pathOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative('.', resolve(dirname(from), specifier))
  if (!specifier.startsWith('@holdfast/')) return undefined
  return relative('.', realpathSync(createRequire(resolve(from)).resolve(specifier)))
}
