import { useSyncExternalStore } from 'react'
import type { Connection } from '../connection.ts'
import { FullScreen } from './full-screen.tsx'
import { ReloadButton } from './update-notice.tsx'
import { updateWords } from './update-words.ts'

/** Says over the page, which stays as it is, that a part of it waits for the server. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  const state = useSyncExternalStore(connection.subscribe, connection.state)
  if (state === 'good') return null
  const words = updateWords(document.documentElement.lang)
  return (
    <div className="hf-connection" role="status">
      <p>{words[state]}</p>
      <button type="button" className="hf-button" onClick={connection.retry}>
        {words.retry}
      </button>
      {state === 'incomplete' && <ReloadButton />}
    </div>
  )
}

/** The same where there is no page yet. */
export function ConnectionScreen() {
  const words = updateWords(document.documentElement.lang)
  return (
    <FullScreen title={words.lost}>
      <button type="button" className="hf-button hf-button-primary" onClick={() => location.reload()}>
        {words.retry}
      </button>
    </FullScreen>
  )
}
