import { defineErrors, entry } from '@holdfast/contract'

/** What the door for programs refuses of how a call is signed, and of what it names. */
export const openApiErrors = defineErrors({
  call_not_signed: entry(
    '300580',
    'toast',
    "The call is not signed correctly: {reason}. Sign it with the API key's private key and send it again.",
    '调用签名不符合要求：{reason}。请用该 API 密钥的私钥重新签名后再提交。',
    401,
  ),
  clock_differs: entry(
    '300581',
    'toast',
    "The time in the signature is more than five minutes off. The server's time is {server_time}: correct your program's clock.",
    '签名中的时间偏差超过五分钟。当前服务器时间为 {server_time}，请校准程序的时钟。',
    401,
  ),
  call_replayed: entry(
    '300582',
    'toast',
    'This signature has been used before. Sign each call separately, with its own nonce.',
    '该签名已被使用。每次调用请使用新的 nonce 重新签名。',
    401,
  ),
  key_not_for_wallet: entry(
    '300583',
    'toast',
    'This API key may not use this sub-wallet, or the call names none. Name one of its sub-wallets in sub_wallet_id.',
    '该 API 密钥不可使用此子钱包，或调用未指明子钱包。请在 sub_wallet_id 中填写其可用的子钱包。',
    403,
  ),
  key_no_screener: entry(
    '300588',
    'toast',
    "This is not a screener's key: only a screener in the policy can report screening results. Use its key.",
    '该密钥不属于筛查程序：只有策略中的筛查程序可以提交筛查结果，请使用其密钥。',
    403,
  ),
})

/** What door two refuses of a call that was let in. */
export const openWireErrors = defineErrors({
  order_not_signed: entry(
    '300584',
    'toast',
    'The order is not signed by the key that signs orders. Have your program sign it (need_transaction_sign), with no & in its fields.',
    '订单缺少签名密钥生成的有效 sign。请让程序对订单签名（need_transaction_sign），且各字段中不要包含 &。',
  ),
  not_at_door_two: entry('300585', 'toast', 'This is not available at door two: {reason}.', '二号接口不提供此调用：{reason}。'),
  coin_unknown: entry(
    '300586',
    'toast',
    'There is no coin called {symbol}. Use a symbol from coin_list.',
    '没有名为 {symbol} 的币种。请使用 coin_list 返回的 symbol。',
  ),
  coin_of_several: entry(
    '300587',
    'toast',
    'Several networks have a coin {symbol}. Name one of them: {names}.',
    '多个网络都有名为 {symbol} 的币种，请指明其中之一：{names}。',
  ),
})
