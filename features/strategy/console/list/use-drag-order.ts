import { type DragEvent, useState } from 'react'

/** Where something that is dragged would come to stand: before or behind one of the list. */
type Target = { id: string; side: 'before' | 'behind' }

/**
 * Has the items of a list dragged to another place. `onPlace` is told which one, and its new place among them. Whoever has no pointer needs buttons for the
 * same: nothing of this is heard or reached by the keyboard.
 */
export function useDragOrder(ids: readonly string[], onPlace: (id: string, at: number) => void) {
  const [dragged, setDragged] = useState<string>()
  const [target, setTarget] = useState<Target>()
  const end = () => {
    setDragged(undefined)
    setTarget(undefined)
  }
  const gripProps = (id: string) => ({
    draggable: true,
    onDragStart: (event: DragEvent<HTMLElement>) => {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', id)
      const item = event.currentTarget.closest('li')
      if (item) event.dataTransfer.setDragImage(item, 20, 20)
      setDragged(id)
    },
    onDragEnd: end,
  })
  const itemProps = (id: string) => ({
    'data-drop': target?.id === id && dragged !== undefined && dragged !== id ? target.side : undefined,
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (dragged === undefined) return
      event.preventDefault()
      const side = sideOf(event)
      if (target?.id !== id || target.side !== side) setTarget({ id, side })
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      if (dragged === undefined) return
      event.preventDefault()
      const at = placeOf(ids, dragged, { id, side: sideOf(event) })
      if (at !== ids.indexOf(dragged)) onPlace(dragged, at)
      end()
    },
  })
  return { gripProps, itemProps }
}

/** The half of an item that the pointer is over. */
function sideOf({ currentTarget, clientY }: DragEvent<HTMLElement>): Target['side'] {
  const { top, height } = currentTarget.getBoundingClientRect()
  return clientY < top + height / 2 ? 'before' : 'behind'
}

/** The place that one of a list has once it was taken out and put before or behind another one of it. */
export function placeOf(ids: readonly string[], moved: string, { id, side }: Target): number {
  if (id === moved) return ids.indexOf(moved)
  const rest = ids.filter((each) => each !== moved)
  return rest.indexOf(id) + (side === 'before' ? 0 : 1)
}
