/** The types a canonical message is made of. A shape is data: the codec walks it, TypeScript infers from it. */
export type Shape = BytesShape | TextShape | UintShape | BoolShape | ListShape | OptionalShape | StructShape | UnionShape

export type BytesShape = { kind: 'bytes'; length?: number; max: number }
export type TextShape = { kind: 'text'; max: number }
export type UintShape = { kind: 'uint'; bits: number }
export type BoolShape = { kind: 'bool' }
export type ListShape<S extends Shape = any> = { kind: 'list'; item: S; max: number }
export type OptionalShape<S extends Shape = any> = { kind: 'optional'; inner: S }
export type StructShape<F extends Record<string, Shape> = any> = { kind: 'struct'; tag: string; fields: F }
export type UnionShape<V extends Record<string, StructShape> = any> = { kind: 'union'; variants: V }

/** The value type of a shape. A union's value carries `kind`, the variant's name. */
export type Infer<S> = 0 extends 1 & S
  ? any
  : S extends BytesShape
    ? Uint8Array
    : S extends TextShape
      ? string
      : S extends UintShape
        ? bigint
        : S extends BoolShape
          ? boolean
          : S extends ListShape<infer I>
            ? Infer<I>[]
            : S extends OptionalShape<infer I>
              ? Infer<I> | null
              : S extends StructShape<infer F>
                ? { [K in keyof F]: Infer<F[K]> }
                : S extends UnionShape<infer V>
                  ? { [K in keyof V]: { kind: K } & Infer<V[K]> }[keyof V]
                  : never

/** A byte string: of exactly `length` bytes, or of at most `max` (default 1 MiB). */
export const bytes = (length?: number, max = length ?? 1 << 20): BytesShape => ({ kind: 'bytes', ...(length === undefined ? {} : { length }), max })
/** Text in Unicode NFC, well-formed, of at most `max` UTF-8 bytes. */
export const text = (max = 1024): TextShape => ({ kind: 'text', max })
/** An unsigned integer of at most `bits` bits (default 64). */
export const uint = (bits = 64): UintShape => ({ kind: 'uint', bits })
export const bool = (): BoolShape => ({ kind: 'bool' })
/** An ordered list of at most `max` items. */
export const list = <S extends Shape>(item: S, max = 4096): ListShape<S> => ({ kind: 'list', item, max })
/** A value that may be absent (`null`); absence is encoded, never implied. */
export const optional = <S extends Shape>(inner: S): OptionalShape<S> => ({ kind: 'optional', inner })
/** A record. `tag` names the type and its version, such as `holdfast/intent/v1`, and is part of the bytes. */
export const struct = <F extends Record<string, Shape>>(tag: string, fields: F): StructShape<F> => ({ kind: 'struct', tag, fields })
/** One of several records, told apart by their tags. */
export const union = <V extends Record<string, StructShape>>(variants: V): UnionShape<V> => ({ kind: 'union', variants })
