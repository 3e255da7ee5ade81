/** What wrong passphrases begin with. */
export const WRONG_PASSPHRASE = 'xylophone-quagmire-'
