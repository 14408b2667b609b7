# SPDX-License-Identifier: BSD-3-Clause
# R's data.table: sorts, groups, subsets and files, in as many threads as OMP_NUM_THREADS says; prints results.
suppressMessages(library(data.table))
setDTthreads(as.integer(Sys.getenv("OMP_NUM_THREADS")))

rows <- 300000
number <- seq_len(rows)
measured <- data.table(group = (number * 7919) %% 1013 %% 97, day = (number * 31) %% 365, value = (number * 17) %% 1009 / 8)
show <- function(name, values) cat(name, format(values, digits = 10), "\n")

sums <- measured[, .(total = sum(value), mean = mean(value), count = .N), keyby = .(group, day)]
show("sums", c(nrow(sums), sum(sums$total), sum(sums$mean * sums$count), sums$total[1:5]))
setorder(measured, -value, day, group)
show("order", c(measured$group[1:8], sum(measured$day * (number %% 1000))))
show("subset", c(nrow(measured[value > 60 & day < 100]), sum(measured[value > 60 & day < 100, value])))
show("sort", fsort(measured$value + 1)[c(1, rows / 2, rows)])
file <- tempfile(fileext = ".csv")
fwrite(measured, file)
read <- fread(file, showProgress = FALSE)
show("file", c(isTRUE(all.equal(read, measured, check.attributes = FALSE)), sum(read$value)))
show("roll", sum(frollmean(measured$value, 50), na.rm = TRUE))
