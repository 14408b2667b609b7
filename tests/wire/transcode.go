// SPDX-License-Identifier: BSD-3-Clause

// Reads lines `METHOD FORMAT HEX`, decodes each message as that method's reply, and writes `ok CBOR C`, the value in both
// formats, or `error WHAT`. The codecs are those that `ferry bindgen --lang go` wrote for spec/wire/types.json: this file
// is compiled in that package, with a table `roots` beside it.
package wire_

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	formats "ferryingress/wire"
)

func digits(data []byte) string {
	if len(data) == 0 {
		return "-"
	}
	return hex.EncodeToString(data)
}

func transcoded[T any](codec formats.Codec[T]) func(formats.Format, []byte) string {
	return func(format formats.Format, data []byte) string {
		var value T
		if err := formats.Decode(codec, format, data, &value); err != nil {
			return "error " + err.Error()
		}
		cbor, err := formats.Append(codec, formats.CBOR, nil, &value)
		if err != nil {
			return "refused " + err.Error()
		}
		c, err := formats.Append(codec, formats.C, nil, &value)
		if err != nil {
			return "refused " + err.Error()
		}
		return "ok " + digits(cbor) + " " + digits(c)
	}
}

// Transcode answers every line of in.
func Transcode(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		data, err := hex.DecodeString(strings.TrimSuffix(words[2], "-"))
		if err != nil {
			return err
		}
		format := formats.C
		if words[1] == "cbor" {
			format = formats.CBOR
		}
		fmt.Fprintln(out, roots[words[0]](format, data))
	}
	return lines.Err()
}
