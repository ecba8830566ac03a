import type { Language } from './error-entry.ts'

/** The reasons a parameter is refused for, as the field types word them, and what they are in Chinese. `$1` is the number in the English one. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/^it is required$/, '该项为必填'],
  [/^it must not be empty$/, '不能为空'],
  [/^it must be a plain decimal number such as 12\.5$/, '必须是普通十进制数字，例如 12.5'],
  [/^it must be above zero$/, '必须大于零'],
  [/^it must be an id \(UUID\)$/, '必须是有效的编号（UUID）'],
  [/^an id was given twice$/, '编号重复'],
  [/^it must be a whole number$/, '必须是整数'],
  [/^it must be at least (-?\d+)$/, '不能小于 $1'],
  [/^it must be at most (-?\d+)$/, '不能大于 $1'],
  [/^it must be true or false$/, '必须是 true 或 false'],
  [/^it must be one of: (.+)$/, '必须是以下之一：$1'],
  [/^it must be an address without spaces$/, '必须是不含空格的地址'],
  [/^it must be the six digits of your authenticator app$/, '必须是身份验证器中的六位数字'],
  [/^it must be 8 to 64 letters, digits, "-" or "_"$/, '必须是 8 到 64 个字母、数字、“-”或“_”'],
  [/^it must have at most (\d+) characters$/, '最多 $1 个字符'],
  [/^it must have at least (\d+) characters$/, '至少 $1 个字符'],
  [/^it must have at most (\d+) entries$/, '最多 $1 项'],
  [/^it must have at least (\d+) entries$/, '至少 $1 项'],
  [/^it has characters that cannot be seen; type it instead of pasting it$/, '包含不可见字符，请手动输入而不要粘贴'],
  [/^it must not start or end with a space$/, '首尾不能有空格'],
  [/^it is nested too deeply$/, '嵌套层级过深'],
  [/^it has a field name that is not allowed$/, '包含不允许的字段名'],
  [/^it must be JSON text$/, '必须是 JSON 文本'],
  [/^the text is not valid Unicode$/, '文本不是有效的 Unicode'],
  [/^the text contains a NUL character$/, '文本包含空字符'],
  [/^the text is not in Unicode normal form C$/, '文本不是 Unicode NFC 形式'],
  [/^it is not form-encoded$/, '不是表单编码'],
  [/^it is not valid UTF-8$/, '不是有效的 UTF-8'],
  [/^it was given twice$/, '该项重复'],
  [/^it has more than (\d+) fields$/, '字段超过 $1 个'],
  [/^a field has no "="$/, '有字段缺少“=”'],
  [/^a field name is not letters, digits and underscores$/, '字段名只能包含字母、数字和下划线'],
  [/^it must be status numbers of four digits, by comma$/, '必须是以逗号分隔的四位状态码'],
  [/^it must be ids \(UUIDs\), by comma$/, '必须是以逗号分隔的编号（UUID）'],
  [/^it must be later than the beginning and than now$/, '必须晚于开始时间和当前时间'],
  [/^nothing is known of this device that would tell it from others$/, '对该设备一无所知，无法与其他设备区分'],
  [/^it must be within a year$/, '时长不能超过一年'],
  [/^it must be somebody else$/, '不能是本人'],
  [/^it must be an active member$/, '必须是有效成员'],
  [/^it must not have a comma$/, '不能包含逗号'],
  [/^at most ten tags$/, '最多十个标签'],
  [/^it must be a time zone such as Europe\/Berlin$/, '必须是时区，例如 Asia/Shanghai'],
  [/^(\d+) filters are kept already; remove one first$/, '已保存 $1 个筛选，请先删除一个'],
  [/^it must be a whole address such as https:\/\/example\.com\/hook$/, '必须是完整地址，例如 https://example.com/hook'],
  [/^it must begin with https:\/\/$/, '必须以 https:// 开头'],
  [/^it must not hold a user name or a password$/, '不能包含用户名或密码'],
  [/^it must not have a part after "#"$/, '不能包含“#”之后的部分'],
  [/^its name has no address in the DNS$/, '该域名无法解析'],
  [/^it leads to an address that is not public$/, '指向的不是公网地址'],
  [/^it must be at most one hour after the start$/, '距开始时间不能超过一小时'],
  [/^the fee can be taken only from one payment in the network's own coin$/, '只有以网络原生币向单个地址付款时，才能从金额中扣除手续费'],
  [/^the fee may take all of it$/, '手续费可能用尽全部金额'],
  [/^it is no address of this network$/, '不是该网络的地址'],
  [/^there is no token at this address$/, '该地址上没有代币合约'],
  [/^its symbol is none that can be shown$/, '其符号无法显示'],
  [/^it counts in more decimals than there are$/, '其小数位数超出允许范围'],
  [/^it is not in the expected form$/, '格式不正确'],
]

/** A reason in the caller's language; one that has no translation stays as it is. */
export function reasonIn(language: Language, reason: string): string {
  if (language === 'en_US') return reason
  for (const [pattern, chinese] of CHINESE) {
    if (pattern.test(reason)) return reason.replace(pattern, chinese)
  }
  return reason
}
