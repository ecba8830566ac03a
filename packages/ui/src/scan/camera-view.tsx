import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Note } from '../feedback/note.tsx'
import { type CameraFault, cameraFaultOf } from './camera-fault.ts'
import { pixelsOf, readFrame } from './read-qr.ts'

/** The camera at the back of a telephone, or whichever there is. */
const WISHES: MediaStreamConstraints = { audio: false, video: { facingMode: 'environment', width: { ideal: 1280 } } }

/** What the camera sees, read frame by frame. The camera is let go as soon as this leaves the page. */
export function CameraView({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'asking' | 'on' | CameraFault>('asking')
  const told = useEffectEvent(onText)
  useEffect(() => {
    const shown = video.current!
    let isOver = false
    let stream: MediaStream | undefined
    const release = () => stream?.getTracks().forEach((track) => track.stop())
    const look = () => {
      if (isOver) return
      const text = readFrame(pixelsOf(shown, { width: shown.videoWidth, height: shown.videoHeight }))
      if (text !== undefined) told(text)
      shown.requestVideoFrameCallback(look)
    }
    const open = async () => {
      // Browsers have no such thing on a page that did not come by a secure way.
      if (!('mediaDevices' in navigator)) return setState('none')
      stream = await navigator.mediaDevices.getUserMedia(WISHES)
      if (isOver) return release()
      stream.getVideoTracks()[0]?.addEventListener('ended', () => setState('busy'))
      shown.srcObject = stream
      shown.requestVideoFrameCallback(look)
      await shown.play()
      setState('on')
    }
    open().catch((cause: unknown) => {
      release()
      if (!isOver) setState(cameraFaultOf(cause))
    })
    return () => {
      isOver = true
      release()
    }
  }, [])
  const isFailed = state !== 'asking' && state !== 'on'
  return (
    <>
      <div className="hf-scan-view" hidden={isFailed}>
        {/* Nothing is heard here that would need words beside it. */}
        <video ref={video} muted playsInline aria-label={t('ui.scan.camera')} />
      </div>
      {isFailed ? <Note tone="warn">{t(`ui.scan.fault.${state}`)}</Note> : <p className="hf-small hf-muted">{t(`ui.scan.${state}`)}</p>}
    </>
  )
}
