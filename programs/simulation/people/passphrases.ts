/** What wrong passphrases begin with. */
export const WRONG_PASSPHRASE = 'xylophone-quagmire-'
/** What those begin with that people choose for accounts of their own. */
export const NEW_PASSPHRASE = 'marzipan-thunderstorm-'
