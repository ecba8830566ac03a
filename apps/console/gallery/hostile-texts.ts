/** What somebody may put into a name, a token symbol or a remark to harm whoever reads it. */
export const HOSTILE_TEXTS: readonly { what: string; text: string }[] = [
  { what: 'script', text: '<script>window.__ran=1</script>' },
  { what: 'image', text: '"><img src=x onerror="window.__ran=1"><svg onload=window.__ran=1>' },
  { what: 'template', text: '{{7*7}} ${7*7} javascript:window.__ran=1 $t(ui.loading)' },
  { what: 'bidirectional override', text: 'Treasury \u202e00000001 ot dnes\u202c\u2066\u2067\u2068' },
  { what: 'right to left', text: 'خزينة الشركة הכספת שלנו (123)' },
  { what: 'zero width', text: 'US\u200bD\u200dT\u2060\ufeff\u00ad' },
  { what: 'invisible only', text: '\u200b\u3164\u2800\u115f' },
  { what: 'ten thousand characters', text: 'A'.repeat(10_000) },
  { what: 'ten thousand words', text: 'wallet '.repeat(1430) },
  { what: 'emoji', text: '👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇨🇭👍🏽❤️‍🔥'.repeat(30) },
  { what: 'look-alike', text: 'UЅDТ 𝐔𝐒𝐃𝐓 ＵＳＤＴ' },
  { what: 'piled marks', text: `Z${'\u0301\u0316\u0348\u036f'.repeat(60)}algo` },
  { what: 'controls and lines', text: 'one\ntwo\rthree\u2028four\u0000\u0007\u001b[31m\ttab' },
  { what: 'tall scripts', text: '﷽𒐫꧅𒈙⸻ ဪ' },
  { what: 'spaces', text: `  a${' '.repeat(300)}b\u00a0\u2003c  ` },
]
