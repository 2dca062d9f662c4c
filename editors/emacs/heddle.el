;;; heddle.el --- Heddle's language server in Emacs  -*- lexical-binding: t -*-

;; With eglot, which Emacs 29 has built in: load this file, open a C file, M-x eglot.
;; Violations are Flymake diagnostics; `M-x eglot-code-actions' and lenses depend on your version of eglot.

;;; Code:
(require 'eglot)
(add-to-list 'eglot-server-programs '((c-mode c-ts-mode) . ("heddle" "lsp")))

(provide 'heddle)
;;; heddle.el ends here
