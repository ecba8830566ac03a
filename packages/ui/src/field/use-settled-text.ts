import { useEffect, useState } from 'react'
import { useDebounced } from '../base/use-debounced.ts'

const takeAll = () => true

/**
 * What a person types to narrow a list: shown at once, taken once they stop typing and only where `accept` takes it. The address
 * leads: going back in the browser changes the text too.
 */
export function useSettledText(value: string, onChange: (text: string) => void, accept: (text: string) => boolean = takeAll) {
  const [text, setText] = useState(value)
  const settled = useDebounced(text)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (settled === text && settled !== value && accept(settled)) onChange(settled)
    // Only what was typed and has settled is taken; a new `onChange` is none of that.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [settled])
  return [text, setText] as const
}
