# Makefile - the front door
#
# Plain `make` needs a C compiler and nothing else: no CMake, no network.  It
# makes ./sortes from src/, cli/ and engine/; with libllama where there is one.
# Tests, sanitizers and installing go through CMake, into folders of build/.
#
# SPDX-License-Identifier: MIT

## all: build ./sortes (the default)
.PHONY: all
all: sortes

CC ?= cc
CFLAGS ?= -O2 -g
# Optional: make SAN=address|undefined|thread check
SAN ?=
# no: leave libllama out even where there is one
LLAMA ?=
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20

# Data that is read where it lies, and never copied.
shared = $(or $(SORTES_SHARED),../shared)

cores := $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN || echo 2)
# On all cores; a -j on the command line wins over this one.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(cores)
endif

# ---- ./sortes --------------------------------------------------------------------

out := build/make

# tools/deps knows where libllama and the model are, if anywhere.
# (GNU make before 4.4 does not hand its variables to $(shell) by itself.)
quote = '$(subst ','\'',$(1))'
ask = $(shell $(if $(LLAMA_DIR),LLAMA_DIR=$(call quote,$(LLAMA_DIR))) \
              $(if $(MODEL),MODEL=$(call quote,$(MODEL))) \
              sh tools/deps --where | sed -n 's/^$(1)=//p')
ifneq ($(LLAMA),no)
llama_lib := $(call ask,LLAMA_LIB)
endif
model = $(call ask,MODEL)

sources := $(shell find src -name '*.c') $(wildcard cli/*.c) \
           $(filter-out engine/llama%,$(wildcard engine/*.c))
flags := -std=c11 -ffp-contract=off -Isrc -Iinclude -Iengine
libraries := -lm -pthread

ifneq ($(llama_lib),)
sources += $(wildcard engine/llama*.c)
llama_flags := -DSORTES_WITH_LLAMA=1 -isystem $(call ask,LLAMA_INCLUDE)
# A library inside the checkout is found again after the checkout was moved.
llama_rpath := $(patsubst $(CURDIR)/%,$$ORIGIN/%,$(llama_lib))
libraries += -L$(llama_lib) -lllama -lggml -lggml-base \
             -Wl,-rpath,'$(llama_rpath)'
endif

objects := $(sources:%.c=$(out)/%.o)

# Holds the decisions above; touched only when one of them changes, so that a
# libllama that comes or goes, or other flags, rebuild what depends on them.
decisions := $(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(flags) $(llama_flags) \
             $(libraries)
$(out)/decisions: force
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(decisions)) | cmp -s - $@ || \
	    printf '%s\n' $(call quote,$(decisions)) >$@

.PHONY: force
force:

# V=1 shows the commands; otherwise one line a file.
ifeq ($(V),)
Q = @echo "  $(if $(filter %.c,$<),CC $<,LINK $@)";
endif

$(out)/engine/%.o: own_flags = $(llama_flags)

$(out)/%.o: %.c $(out)/decisions
	@mkdir -p $(@D)
	$(Q)$(CC) $(flags) $(own_flags) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

sortes: $(objects) $(out)/decisions
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(objects) $(libraries) -o $@
ifeq ($(llama_lib),)
	@echo "./sortes is built, without libllama (make demo fetches it)."
	@echo "Try: ./sortes try"
endif

-include $(objects:.o=.d)

# ---- for newcomers ---------------------------------------------------------------

## help: list the targets
.PHONY: help
help:
	@sed -n 's/^## //p' Makefile | awk -F': ' '{ printf "  %-12s %s\n", $$1, $$2 }'
	@echo
	@echo "  LLAMA_DIR=, MODEL=  your own libllama and GGUF    SAN=address|undefined|thread"
	@echo "  CC= CFLAGS=         compiler and its flags        LLAMA=no  leave libllama out"
	@echo "  V=1                 show the compiler's command lines"

## demo: fetch a small model and libllama if need be, and generate some text
.PHONY: demo
demo:
	@sh tools/deps demo
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory run-demo

.PHONY: run-demo
run-demo: sortes
	./sortes generate -m $(call quote,$(model)) \
	    -p "The oracle opened the book at random and read:" -n 64 --seed 42

## deps: fetch everything that any target needs (tools/deps says what first)
.PHONY: deps
deps:
	@sh tools/deps all

# ---- tests -----------------------------------------------------------------------

# Warnings are errors for those who change the sources, not for those who
# install or measure.
strict := -DCMAKE_BUILD_TYPE=Check -DSORTES_WERROR=ON
configure = CC='$(CC)' cmake -S . -B $(1) \
            $(if $(SAN),-DSORTES_SANITIZE=$(SAN)) $(2) >$(1).log || \
            { cat $(1).log; exit 1; }
# The jobs of the outer make are not handed down: cmake --build brings its own.
build = MAKELEVEL= MAKEFLAGS= cmake --build $(1) -j $(cores) $(2)
ctest = MAKELEVEL= MAKEFLAGS= ctest --test-dir $(1) --no-label-summary \
        --output-on-failure -j $(cores) $(2)
san := $(if $(SAN),-$(SAN))

# Where mlx's wheels compute what the dialect does, tools/deps fetches them.
mlx_on := $(if $(filter Linux-x86_64,$(shell uname -s)-$(shell uname -m)),\
    -DSORTES_MLX=ON)

## check: build and run the offline tests and lints (SAN= for a sanitizer)
.PHONY: check
check:
	@sh tools/deps check
	@mkdir -p build
	@$(call configure,build/check$(san),$(strict) \
	    -DSORTES_TESTS=ON -DSORTES_LLAMA=OFF -DSORTES_MLX=OFF)
	@ln -sf build/check$(san)/compile_commands.json .
	@$(call build,build/check$(san))
	@$(call ctest,build/check$(san),-LE 'live|long')

.PHONY: build-live
build-live:
	@sh tools/deps live
	@mkdir -p build
	@$(call configure,build/live$(san),$(strict) \
	    -DSORTES_TESTS=ON -DSORTES_LLAMA=ON $(mlx_on))
	@$(call build,build/live$(san))

## check-live: compare with the living engines (minutes; needs libllama)
.PHONY: check-live
check-live: build-live
	@$(call ctest,build/live$(san),-L live)

## check-long: the long tests, among them a million draws beside llama.cpp
.PHONY: check-long
check-long: build-live
	@$(call ctest,build/live$(san),-L long)

## golden: record the golden answers anew from the engines they come from
.PHONY: golden
golden: build-live
	@for recorder in build/live$(san)/bin/record_golden*; do \
	    [ -x "$$recorder" ] || { echo "golden: no recorder was built"; exit 1; }; \
	    echo "$$recorder"; "$$recorder" tests/golden || exit 1; \
	done
	@python=$(call ask,MLX_PYTHON); \
	[ -z "$$python" ] || $$python -B tools/record_golden_mlx.py tests/golden
	@[ ! -d "$(shared)/oracle" ] || \
	    $(or $(RMLX_PYTHON),$(call ask,MLX_PYTHON),python3) -B \
	    tools/record_golden_rmlx.py tests/golden "$(shared)/oracle"

## rows: record examples/rows anew
.PHONY: rows
rows: build-live
	build/live$(san)/bin/record_rows $(call quote,$(model)) examples/rows \
	    smollm2 "The oracle opened the book at random and read:"

## bench: measure beside llama.cpp and mlx-lm; BENCH= passes arguments on
.PHONY: bench
bench:
	@sh tools/deps live
	@mkdir -p build
	@$(call configure,build/bench,-DCMAKE_BUILD_TYPE=Release -DSORTES_WERROR=OFF \
	    -DSORTES_TESTS=ON -DSORTES_LLAMA=ON $(mlx_on))
	@$(call build,build/bench,--target sortes_bench)
	build/bench/bin/sortes_bench --model $(call quote,$(model)) \
	    --json build/bench/bench.json $(BENCH)
	@$(if $(mlx_on),$(MAKE) --no-print-directory bench-mlx)

## bench-mlx: the part of bench that measures beside mlx-lm
.PHONY: bench-mlx
bench-mlx:
	@sh tools/deps live
	@mkdir -p build
	@$(call configure,build/bench,-DCMAKE_BUILD_TYPE=Release -DSORTES_WERROR=OFF \
	    -DSORTES_TESTS=ON $(mlx_on))
	@$(call build,build/bench,--target oracle_mlx_play)
	$(call ask,MLX_PYTHON) -B bench/mlx_lm_steps.py --json build/bench/mlx.json \
	    --play build/bench/tests/liboracle_mlx_play.so

documents = $(shared)/data/maskbench-dev.jsonl.xz

## bench-constrain: masks and schemas beside llguidance (SORTES_SHARED= has them)
.PHONY: bench-constrain
bench-constrain:
	@[ -f "$(documents)" ] || { \
	    echo "there is no $(documents) (SORTES_SHARED=)"; exit 1; }
	@sh tools/deps live
	@mkdir -p build
	@$(call configure,build/bench,-DCMAKE_BUILD_TYPE=Release -DSORTES_WERROR=OFF \
	    -DSORTES_TESTS=ON -DSORTES_LLAMA=ON)
	@$(call build,build/bench,--target sortes_bench_masks \
	    sortes_bench_schemas oracle_llguidance_play)
	@for part in masks schemas; do \
	    $(call ask,LLGUIDANCE_PYTHON) -B bench/constrain/$$part.py \
	        --bench build/bench/bin/sortes_bench_$$part \
	        --play build/bench/bin/liboracle_llguidance_play.so \
	        --data "$(documents)" $(BENCH) \
	        $(call quote,$(model)) $(call ask,QWEN_VOCAB) || exit 1; \
	done

## fuzz: each parser under libFuzzer for FUZZ_SECONDS (needs clang)
.PHONY: fuzz
fuzz:
	@mkdir -p build/fuzz-found
	@$(MAKE) --no-print-directory build-fuzz CC=clang SAN=address,undefined
	@cd build/fuzz-found && for target in ../fuzz/bin/fuzz_*; do \
	    name=$${target##*/fuzz_}; \
	    echo "fuzz: $$name, $(FUZZ_SECONDS) seconds"; \
	    mkdir -p $$name; \
	    $$target -max_total_time=$(FUZZ_SECONDS) -verbosity=0 \
	        -print_final_stats=1 $$name ../../fuzz/corpus/$$name || exit 1; \
	done
	@echo "fuzz: nothing found"

.PHONY: build-fuzz
build-fuzz:
	@$(call configure,build/fuzz,$(strict) -DSORTES_FUZZ=ON \
	    -DSORTES_PROGRAM=OFF -DSORTES_LLAMA=OFF -DSORTES_MLX=OFF)
	@$(call build,build/fuzz)

## lint: the rules of the tree (includes, names, sizes, tests, format)
.PHONY: lint
lint:
	@tools/lint

# ---- the rest ----------------------------------------------------------------------

## format: run clang-format over every C file
.PHONY: format
format:
	@find src include engine cli server tests fuzz bench tools \
	    -name '*.[ch]' 2>/dev/null | xargs clang-format -i

## amalgam: the library as two files, dist/sortes.c (or _constrain.c) and .h
.PHONY: amalgam
amalgam:
	@tools/amalgam dist

## install: build with CMake and install (PREFIX=/usr/local, DESTDIR=)
.PHONY: install
install:
	@mkdir -p build
	@$(call configure,build/release,-DCMAKE_BUILD_TYPE=Release -DSORTES_WERROR=OFF \
	    -DCMAKE_INSTALL_PREFIX=$(PREFIX))
	@$(call build,build/release)
	cmake --install build/release

## clean: remove what was built
.PHONY: clean
clean:
	rm -rf build dist sortes compile_commands.json

## distclean: remove what was fetched as well
.PHONY: distclean
distclean: clean
	rm -rf .deps
