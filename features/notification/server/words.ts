import { inertText } from '@holdfast/mail'
import type { MailAbout } from '@holdfast/features/mail/server'

/** An e-mail that says an endpoint is paused. Only its host: what follows in an address may be a secret. */
export function pausedWords({ url, failures }: { url: string; failures: number }): MailAbout['words'] {
  const host = inertText(new URL(url).host)
  return {
    'en-US': {
      subject: 'A webhook endpoint is paused',
      text: `A webhook endpoint was paused because ${failures} attempts in a row failed: ${host}\nNothing is lost: anything that happens meanwhile is sent when the endpoint is resumed. Fix the endpoint, send a test event, then resume it:`,
    },
    'zh-CN': {
      subject: '一个通知回调地址已暂停',
      text: `一个通知回调地址因连续 ${failures} 次发送失败而被暂停：${host}\n数据不会丢失：其间的通知会在恢复后补发。请修复该回调地址，发送测试事件，然后恢复发送：`,
    },
  }
}
