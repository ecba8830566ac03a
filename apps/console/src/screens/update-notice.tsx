import { browserPorts } from '@holdfast/ports/browser'
import { refreshPath } from '../chunk-failure.ts'
import { FullScreen } from './full-screen.tsx'
import { UPDATE_WORDS } from './update-words.ts'

/** Says that there is a newer version, and loads it. It stands even where no words could be fetched. */
export function UpdateNotice() {
  const words = UPDATE_WORDS[document.documentElement.lang === 'zh-CN' ? 'zh-CN' : 'en-US']
  return (
    <FullScreen title={words.text}>
      <button type="button" className="hf-button hf-button-primary" onClick={() => location.replace(refreshPath(location, browserPorts.clock.nowMs()))}>
        {words.refresh}
      </button>
    </FullScreen>
  )
}
