import { browserPorts } from '@holdfast/ports/browser'
import { refreshPath } from '../chunk-failure.ts'
import { FullScreen } from './full-screen.tsx'
import { updateWords } from './update-words.ts'

/** Says that there is a newer version, and loads it. It stands even where no words could be fetched. */
export function UpdateNotice() {
  const words = updateWords(document.documentElement.lang)
  return (
    <FullScreen title={words.text}>
      <ReloadButton isPrimary />
    </FullScreen>
  )
}

/** Loads the page again, past every cache. */
export function ReloadButton({ isPrimary = false }: { isPrimary?: boolean }) {
  return (
    <button
      type="button"
      className={isPrimary ? 'hf-button hf-button-primary' : 'hf-button'}
      onClick={() => location.replace(refreshPath(location, browserPorts.clock.nowMs()))}
    >
      {updateWords(document.documentElement.lang).refresh}
    </button>
  )
}
